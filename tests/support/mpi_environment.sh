# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
# This lets Open MPI run as root, use more ranks than processors, where waiting ranks yield, and avoid a system call that
# containers forbid.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none
