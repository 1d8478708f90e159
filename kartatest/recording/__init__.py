"""Recordings: one workload through time, read from our files, manifests and dumps; written; masked.

The face of the package, imported from its modules so that reading costs no writing:

    load.load(source) -> Loaded              recordings, and what is wrong with them
    write.text(recording) -> str             write.write(recording, file)
    mask.mask(recording, ...) -> Recording   without uids, times and generated names
"""
