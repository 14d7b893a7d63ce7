! Calls on a dead rank, by each way of saying in Fortran what MPI offers.
#if defined(WITH_F08)
#define MPI_INTERFACE use mpi_f08
#define REQUEST_TYPE type(MPI_Request)
#define STATUS_TYPE(name) type(MPI_Status) :: name
#define STATUSES_TYPE(name) type(MPI_Status) :: name(2)
#define MESSAGE_TYPE type(MPI_Message)
#elif defined(WITH_MODULE)
#define MPI_INTERFACE use mpi
#define REQUEST_TYPE integer
#define STATUS_TYPE(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES_TYPE(name) integer :: name(MPI_STATUS_SIZE, 2)
#define MESSAGE_TYPE integer
#else
#define MPI_INTERFACE use iso_c_binding
#define REQUEST_TYPE integer
#define STATUS_TYPE(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES_TYPE(name) integer :: name(MPI_STATUS_SIZE, 2)
#define MESSAGE_TYPE integer
#endif

program dead_peer
  use, intrinsic :: iso_c_binding, only: c_int
  MPI_INTERFACE
  implicit none
#if defined(WITH_HEADER)
  include 'mpif.h'
#endif
  interface
    subroutine raise_signal(number) bind(C, name='raise')
      import :: c_int
      integer(c_int), value :: number
    end subroutine
    subroutine alarm_in(seconds) bind(C, name='alarm')
      import :: c_int
      integer(c_int), value :: seconds
    end subroutine
  end interface

  integer, parameter :: dead = 1, living = 2, tag = 7
  integer :: rank, error, number, position
  logical :: flag
  REQUEST_TYPE :: request, requests(2)
  MESSAGE_TYPE :: message
  STATUS_TYPE(status)
  STATUSES_TYPE(statuses)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
  number = 5
  if (rank == dead) call raise_signal(9_c_int)
  if (rank == living) then
    call MPI_Recv(number, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, status, error)
    call MPI_Send(number, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, error)
  end if
  if (rank == 0) then
    call alarm_in(60_c_int)
    call MPI_Recv(number, 1, MPI_INTEGER, dead, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call expect_failed('MPI_Recv')
    call MPI_Send(number, 1, MPI_INTEGER, dead, tag, MPI_COMM_WORLD, error)
    call expect_failed('MPI_Send')
    call MPI_Ssend(number, 1, MPI_INTEGER, dead, tag, MPI_COMM_WORLD, error)
    call expect_failed('MPI_Ssend')
    call MPI_Isend(number, 1, MPI_INTEGER, dead, tag, MPI_COMM_WORLD, request, error)
    call expect_success('MPI_Isend')
    call MPI_Wait(request, status, error)
    call expect_failed('MPI_Wait')
    call MPI_Sendrecv(number, 1, MPI_INTEGER, dead, tag, position, 1, MPI_INTEGER, dead, tag, &
                      MPI_COMM_WORLD, status, error)
    call expect_failed('MPI_Sendrecv')
    call MPI_Probe(dead, tag, MPI_COMM_WORLD, status, error)
    call expect_failed('MPI_Probe')
    call MPI_Improbe(dead, tag, MPI_COMM_WORLD, flag, message, status, error)
    call expect_failed('MPI_Improbe')
    call MPI_Send_init(number, 1, MPI_INTEGER, dead, tag, MPI_COMM_WORLD, request, error)
    call MPI_Start(request, error)
    call expect_success('MPI_Start')
    call MPI_Wait(request, status, error)
    call expect_failed('MPI_Wait, of a persistent request')
    call MPI_Request_free(request, error)
    call expect_success('MPI_Request_free')

    call MPI_Irecv(position, 1, MPI_INTEGER, living, tag, MPI_COMM_WORLD, requests(1), error)
    call MPI_Irecv(number, 1, MPI_INTEGER, dead, tag, MPI_COMM_WORLD, requests(2), error)
    number = 8
    call MPI_Send(number, 1, MPI_INTEGER, living, tag, MPI_COMM_WORLD, error)
    call expect_success('MPI_Send, to the living')
    call MPI_Waitall(2, requests, statuses, error)
    if (error /= MPI_ERR_IN_STATUS) call fail('MPI_Waitall')
#if defined(WITH_F08)
    error = statuses(2)%MPI_ERROR
#else
    error = statuses(MPI_ERROR, 2)
#endif
    call expect_failed('MPI_Waitall')
    if (position /= 8) call fail('the message of the living')
    print '(a)', 'as it should be'
  end if
  call MPI_Finalize(error)

contains

  subroutine fail(what)
    character(*), intent(in) :: what
    write (0, '(2a)') what, ': not as it should be'
    stop 1
  end subroutine

  subroutine expect_success(what)
    character(*), intent(in) :: what
    if (error /= MPI_SUCCESS) call fail(what)
  end subroutine

  subroutine expect_failed(what)
    character(*), intent(in) :: what
    character(MPI_MAX_ERROR_STRING) :: text
    integer :: length, ignored
    if (error == MPI_SUCCESS) call fail(what)
    call MPI_Error_string(error, text, length, ignored)
    if (text(1:length) /= 'rank 1 of the communicator has died') call fail(what // ', ' // text(1:length))
  end subroutine

end program
