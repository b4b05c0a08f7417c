"""Every compiled sweep: arrays in, arrays out, filled in place. Only modules in here import numba."""
