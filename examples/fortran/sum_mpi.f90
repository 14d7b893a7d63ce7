! An unchanged Fortran program, with the module mpi: run it with libdetour_mpi.so preloaded.
!
!   mpifort sum_mpi.f90 -o sum && mpirun -n 4 -x LD_PRELOAD=libdetour_mpi.so ./sum
program sum_of_ranks
  use mpi
  implicit none
  integer :: rank, rank_count, error
  double precision :: values(3), sums(3)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, rank_count, error)
  values = [1d0, dble(rank), 0.5d0 * rank]
  call MPI_Allreduce(values, sums, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Allreduce(MPI_IN_PLACE, values, 3, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
  if (rank == 0) print '(i0, a, 3f9.3, a, 3f9.3)', rank_count, ' ranks: sums', sums, ', maxima', values
  call MPI_Finalize(error)
end program
