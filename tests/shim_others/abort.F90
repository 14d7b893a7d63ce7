! The last rank ends the job while all others wait for it.
program ending
  use mpi
  implicit none
  integer :: rank, size, error
  call MPI_INIT(error)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, error)
  if (rank == size - 1) call MPI_ABORT(MPI_COMM_WORLD, 7, error)
  call MPI_BARRIER(MPI_COMM_WORLD, error)
  call MPI_FINALIZE(error)
end program
