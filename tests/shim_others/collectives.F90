! Collective operations that are left to MPI, from Fortran, when the last rank has died: errors that name it, in both
! forms, and sums that go on. Before it they give what they should.
program collectives
#if defined(WITH_F08)
  use mpi_f08
#elif defined(WITH_MODULE)
  use mpi
#endif
  use iso_c_binding, only: c_int
  implicit none
#if defined(WITH_HEADER)
  include 'mpif.h'
#endif
#if defined(WITH_F08)
  type(MPI_Request) :: request
  type(MPI_Win) :: window
#else
  integer :: request, window
#endif
  integer :: rank, size, error, at, total
  integer, allocatable :: sent(:), received(:)
#if defined(WITH_F08)
  type(MPI_Datatype), allocatable :: datatypes(:)
#else
  integer, allocatable :: datatypes(:)
#endif
  integer, allocatable :: counts(:), displacements(:)
  integer(kind=MPI_ADDRESS_KIND) :: window_bytes
  integer, target :: cell

  call MPI_INIT(error)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, error)
  call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
  allocate(sent(size), received(size), datatypes(size), counts(size), displacements(size))
  sent = rank + 1
  received = -1

  call MPI_GATHER(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  if (rank == 0) call expect(all(received == [(at, at = 1, size)]), 'gather')
  received = sent
  call MPI_SCAN(MPI_IN_PLACE, received, size, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call expect(all(received == (rank + 1) * (rank + 2) / 2), 'scan in place')
  counts = 1
  displacements = [(4 * (at - 1), at = 1, size)]
  datatypes = MPI_INTEGER
  call MPI_IALLTOALLW(sent, counts, displacements, datatypes, received, counts, displacements, datatypes, &
                      MPI_COMM_WORLD, request, error)
  call MPI_WAIT(request, MPI_STATUS_IGNORE, error)
  call expect(all(received == [(at, at = 1, size)]), 'ialltoallw')
  window_bytes = 4
  cell = 0
  call MPI_WIN_CREATE(cell, window_bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, error)
  call MPI_WIN_SET_ERRHANDLER(window, MPI_ERRORS_RETURN, error)
  call MPI_WIN_FENCE(0, window, error)
  call expect(error == MPI_SUCCESS, 'fence')

  if (rank == size - 1) call die()
  ! A rank that gets nothing from others may be done before the death is known.
  error = MPI_SUCCESS
  do while (error == MPI_SUCCESS)
    call MPI_GATHER(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  end do
  call expect_failure('gather')
  call MPI_ALLTOALL(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  call expect_failure('alltoall')
  call MPI_IBARRIER(MPI_COMM_WORLD, request, error)
  call expect_failure('ibarrier')
  call MPI_WIN_FENCE(0, window, error)
  call expect_failure('fence')
  call MPI_ALLREDUCE(1, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call expect(error == MPI_SUCCESS .and. total == size - 1, 'sum of the survivors')
  call MPI_FINALIZE(error)

contains

  subroutine die()
    interface
      integer(c_int) function raise(signal) bind(c)
        import :: c_int
        integer(c_int), value :: signal
      end function
    end interface
    integer :: ignored
    ignored = raise(9_c_int)  ! at once: one that Fortran catches would take its time to print where it is
  end subroutine

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    integer :: ignored
    if (holds) return
    print '(a, i0, 2a)', 'rank ', rank, ': ', what
    call MPI_ABORT(MPI_COMM_WORLD, 3, ignored)
  end subroutine

  subroutine expect_failure(what)
    character(*), intent(in) :: what
    character(MPI_MAX_ERROR_STRING) :: text
    character(20) :: number
    integer :: length, ignored
    call MPI_ERROR_STRING(error, text, length, ignored)
    write (number, '(i0)') size - 1
    call expect(text(1:length) == 'rank ' // trim(number) // ' of the communicator has died', what)
  end subroutine
end program
