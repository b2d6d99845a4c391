# SPDX-License-Identifier: Apache-2.0
"""Where packages are: the one under test is in the folder that the environment names."""

import os


def get_package_share_directory(name):
    """Return the folder of a package."""
    if name != 'epuck_driver':
        raise LookupError('a launch file wants the package %s' % name)
    return os.environ['EPUCK_SHARE']
