# SPDX-License-Identifier: Apache-2.0 OR MIT
# Decides whether libsumac_mpi and the program sumac-mpi are built. They use the MPI of mpicc. -DMPI_C_COMPILER=mpicc.mpich
# selects another one.
set(SUMAC_HAVE_MPI OFF)
# The build machine's mpicc can't compile for another processor.
if(SUMAC_MPI STREQUAL "ON" OR (SUMAC_MPI STREQUAL "AUTO" AND NOT CMAKE_CROSSCOMPILING))
    find_package(MPI COMPONENTS C QUIET)
    if(MPI_C_FOUND)
        set(SUMAC_HAVE_MPI ON)
        message(STATUS "libsumac_mpi is built with ${MPI_C_COMPILER}")
    elseif(SUMAC_MPI STREQUAL "ON")
        message(FATAL_ERROR "libsumac_mpi needs an MPI whose mpicc compiles (Debian: libopenmpi-dev openmpi-bin, or libmpich-dev mpich); -DSUMAC_MPI=OFF goes without.")
    else()
        message(STATUS "libsumac_mpi is not built: there is no MPI whose mpicc compiles (Debian: libopenmpi-dev openmpi-bin, or libmpich-dev mpich)")
    endif()
endif()
