! Collective operations from Fortran, by the interface that the build chooses: prints what comes out.
#if defined(WITH_F08)
#define USE_MPI use mpi_f08
#define COMM type(MPI_Comm)
#define GROUP type(MPI_Group)
#define OP type(MPI_Op)
#define DATATYPE type(MPI_Datatype)
#define REQUEST type(MPI_Request)
#define STATUS(name) type(MPI_Status) :: name
#define STATUSES(name, count) type(MPI_Status) :: name(count)
#define SOURCE_OF(name, i) name(i)%MPI_SOURCE
#else
#define COMM integer
#define GROUP integer
#define OP integer
#define DATATYPE integer
#define REQUEST integer
#define STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES(name, count) integer :: name(MPI_STATUS_SIZE, count)
#define SOURCE_OF(name, i) name(MPI_SOURCE, i)
#if defined(WITH_MODULE)
#define USE_MPI use mpi
#else
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif
#endif
#ifndef INCLUDE_MPI
#define INCLUDE_MPI
#endif

! Modulo 10007, so that nothing overflows: the affine map after another. Does not commute.
subroutine compose(left, right, length, datatype_)
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: length, i
  integer :: left(2 * length), right(2 * length)
  DATATYPE :: datatype_
  do i = 1, 2 * length, 2
    right(i + 1) = mod(left(i) * right(i + 1) + left(i + 1), 10007)
    right(i) = mod(left(i) * right(i), 10007)
  end do
end subroutine compose

module state
  implicit none
  integer :: rank, rank_count
contains
  ! In the order of the ranks, by MPI_GATHER, which the library leaves alone.
  subroutine report(name, value)
    USE_MPI
    implicit none
    INCLUDE_MPI
    character(*), intent(in) :: name
    integer, intent(in) :: value
    integer :: values(rank_count), i, ierror
    call MPI_Gather(value, 1, MPI_INTEGER, values, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    if (rank == 0) then
      do i = 1, rank_count
        print '(i0, 3a, i0)', i - 1, ': ', name, ' ', values(i)
      end do
    end if
  end subroutine report

  integer function checksum(values)
    integer, intent(in) :: values(:)
    integer :: i
    checksum = 0
    do i = 1, size(values)
      checksum = mod(checksum * 31 + values(i), 1000003)
    end do
  end function checksum
end module state

subroutine operations(comm_, name)
  USE_MPI
  use state
  implicit none
  INCLUDE_MPI
  COMM :: comm_
  character(*) :: name
  integer :: values(1000), results(1000), i, member, member_count, ierror
  integer, allocatable :: counts(:), starts(:)
  double precision :: x(100), y(100)

  call MPI_Comm_rank(comm_, member, ierror)
  call MPI_Comm_size(comm_, member_count, ierror)
  values = [(i + rank * 3, i = 1, 1000)]
  call MPI_Allreduce(values, results, 1000, MPI_INTEGER, MPI_SUM, comm_, ierror)
  call report(name // ' allreduce', checksum(results))
  results = values
  call MPI_Allreduce(MPI_IN_PLACE, results, 1000, MPI_INTEGER, MPI_MAX, comm_, ierror)
  call report(name // ' in place', checksum(results))
  x = [(i + 0.5d0 * rank, i = 1, 100)]
  call MPI_Allreduce(x, y, 100, MPI_DOUBLE_PRECISION, MPI_SUM, comm_, ierror)
  call report(name // ' doubles', int(sum(y)))

  results = 0
  call MPI_Reduce(values, results, 1000, MPI_INTEGER, MPI_SUM, member_count - 1, comm_, ierror)
  call report(name // ' reduce', checksum(results))
  results = values
  if (member == 0) then
    call MPI_Reduce(MPI_IN_PLACE, results, 1000, MPI_INTEGER, MPI_SUM, 0, comm_, ierror)
  else
    call MPI_Reduce(values, results, 1000, MPI_INTEGER, MPI_SUM, 0, comm_, ierror)
  end if
  call report(name // ' reduce in place', checksum(results))
  results = values
  call MPI_Bcast(results, 1000, MPI_INTEGER, member_count - 1, comm_, ierror)
  call report(name // ' bcast', checksum(results))
  results = 0
  call MPI_Allgather(values, 5, MPI_INTEGER, results, 5, MPI_INTEGER, comm_, ierror)
  call report(name // ' allgather', checksum(results))
  results = 0
  results(5 * member + 1:5 * member + 5) = values(1:5)
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, results, 5, MPI_INTEGER, comm_, ierror)
  call report(name // ' allgather in place', checksum(results))

  allocate (counts(member_count), starts(member_count))
  counts = [(i + 2, i = 1, member_count)]
  starts = [(sum(counts(1:i - 1)), i = 1, member_count)]
  results = 0
  call MPI_Allgatherv(values, counts(member + 1), MPI_INTEGER, results, counts, starts, &
                      MPI_INTEGER, comm_, ierror)
  call report(name // ' allgatherv', checksum(results))
  results = 0
  call MPI_Reduce_scatter(values, results, counts, MPI_INTEGER, MPI_SUM, comm_, ierror)
  call report(name // ' reduce_scatter', checksum(results))
  results = 0
  call MPI_Reduce_scatter_block(values, results, 4, MPI_INTEGER, MPI_SUM, comm_, ierror)
  call report(name // ' reduce_scatter_block', checksum(results))
  call MPI_Barrier(comm_, ierror)
  call report(name // ' last error', ierror)
end subroutine operations

! Also with a datatype of absolute addresses, which goes with MPI_BOTTOM.
subroutine user_operation_and_addresses
  USE_MPI
  use state
  implicit none
  INCLUDE_MPI
  OP :: composition
  DATATYPE :: pair, place
  integer :: values(200), results(200), i, ierror
  integer(MPI_ADDRESS_KIND) :: address(1)
  external :: compose

  call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierror)
  call MPI_Type_commit(pair, ierror)
  call MPI_Op_create(compose, .false., composition, ierror)
  values = [(mod(i * 5 + rank * 7, 100) + 1, i = 1, 200)]
  call MPI_Allreduce(values, results, 100, pair, composition, MPI_COMM_WORLD, ierror)
  call report('user operation', checksum(results))
  call MPI_Op_free(composition, ierror)
  call MPI_Type_free(pair, ierror)

  results = values
  call MPI_Get_address(results, address(1), ierror)
  call MPI_Type_create_hindexed(1, [200], address, MPI_INTEGER, place, ierror)
  call MPI_Type_commit(place, ierror)
  call MPI_Bcast(MPI_BOTTOM, 1, place, 0, MPI_COMM_WORLD, ierror)
  call report('bottom', checksum(results))
  call MPI_Type_free(place, ierror)
end subroutine user_operation_and_addresses

! Of both kinds: large pieces are the library's.
subroutine memory
  USE_MPI
  use state
  use, intrinsic :: iso_c_binding, only : c_f_pointer, c_ptr
  implicit none
  INCLUDE_MPI
  type(c_ptr) :: place
  integer, pointer :: values(:)
  integer(MPI_ADDRESS_KIND) :: bytes
  integer :: form, length, i, ierror

  do form = 1, 2
    length = 10 * 1000 ** form
    bytes = 4 * length
    call MPI_Alloc_mem(bytes, MPI_INFO_NULL, place, ierror)
    call c_f_pointer(place, values, [length])
    values = [(mod(i, 100) + rank, i = 1, length)]
    call MPI_Allreduce(MPI_IN_PLACE, values, length, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call report('memory', checksum(values))
    call MPI_Free_mem(values, ierror)
    call report('freed', ierror)
  end do
end subroutine memory

subroutine requests
  USE_MPI
  use state
  implicit none
  INCLUDE_MPI
  REQUEST :: pending(4)
  STATUSES(all_statuses, 4)
  STATUS(one_status)
  integer :: values(100), sums(100, 2), received, form, i, found, found_count, indices(4), ierror
  logical :: flag

  do form = 1, 9
    values = [(i * form + rank, i = 1, 100)]
    sums = 0
    received = -1
    call MPI_Iallreduce(values, sums(1, 1), 100, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, pending(1), ierror)
    call MPI_Irecv(received, 1, MPI_INTEGER, modulo(rank - 1, rank_count), form, MPI_COMM_WORLD, &
                   pending(2), ierror)
    call MPI_Iallreduce(values, sums(1, 2), 100, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, pending(3), ierror)
    call MPI_Isend(values, 1, MPI_INTEGER, modulo(rank + 1, rank_count), form, MPI_COMM_WORLD, &
                   pending(4), ierror)
    found_count = 0
    flag = .false.
    select case (form)
    case (1)
      call MPI_Waitall(4, pending, all_statuses, ierror)
      found_count = SOURCE_OF(all_statuses, 2)
    case (2)
      call MPI_Waitall(4, pending, MPI_STATUSES_IGNORE, ierror)
    case (3)
      do i = 1, 4
        call MPI_Waitany(4, pending, found, one_status, ierror)
        found_count = found_count + found
      end do
      call MPI_Waitany(4, pending, found, MPI_STATUS_IGNORE, ierror)
      if (found == MPI_UNDEFINED) found_count = -found_count
    case (4)
      do while (found_count < 10)
        call MPI_Waitsome(4, pending, i, indices, MPI_STATUSES_IGNORE, ierror)
        found_count = found_count + sum(indices(1:i))
      end do
    case (5)
      do i = 1, 4
        flag = .false.
        do while (.not. flag)
          call MPI_Request_get_status(pending(i), flag, one_status, ierror)
        end do
        call MPI_Wait(pending(i), MPI_STATUS_IGNORE, ierror)
      end do
    case (6)
      do while (.not. flag)
        call MPI_Testall(4, pending, flag, all_statuses, ierror)
      end do
      found_count = SOURCE_OF(all_statuses, 2)
    case (7)
      do while (found_count < 10)
        call MPI_Testany(4, pending, found, flag, MPI_STATUS_IGNORE, ierror)
        if (flag) found_count = found_count + found
      end do
    case (8)
      do while (found_count < 10)
        call MPI_Testsome(4, pending, i, indices, all_statuses, ierror)
        if (i > 0) found_count = found_count + sum(indices(1:i))
      end do
    case (9)
      do i = 1, 4
        flag = .false.
        do while (.not. flag)
          call MPI_Test(pending(i), flag, one_status, ierror)
        end do
      end do
    end select
    call report('requests', checksum([sums(:, 1), sums(:, 2), received, found_count]))
    call report('requests gone', count(pending == MPI_REQUEST_NULL))
  end do
end subroutine requests

! A call that the library leaves to MPI. The groups are the even and the odd ranks, each led by its first.
subroutine between_groups
  USE_MPI
  use state
  implicit none
  INCLUDE_MPI
  COMM :: half, between
  integer :: total, ierror

  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, ierror)
  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - mod(rank, 2), 5, between, ierror)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, between, ierror)
  call report('between groups', total)
  call MPI_Comm_free(between, ierror)
  call MPI_Comm_free(half, ierror)
end subroutine between_groups

subroutine communicators
  USE_MPI
  use state
  implicit none
  INCLUDE_MPI
  COMM :: made
  GROUP :: world, everybody
  integer :: ierror

  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, made, ierror)
  call operations(made, 'split')
  call MPI_Comm_free(made, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, made, ierror)
  call operations(made, 'dup')
  call MPI_Comm_free(made, ierror)
  call MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, made, ierror)
  call operations(made, 'dup_with_info')
  call MPI_Comm_free(made, ierror)
  call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, made, ierror)
  call operations(made, 'split_type')
  call MPI_Comm_free(made, ierror)
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierror)
  call MPI_Group_excl(world, 0, [integer ::], everybody, ierror)
  call MPI_Comm_create(MPI_COMM_WORLD, everybody, made, ierror)
  call operations(made, 'create')
  call MPI_Comm_free(made, ierror)
  call MPI_Comm_create_group(MPI_COMM_WORLD, everybody, 1, made, ierror)
  call operations(made, 'create_group')
  call MPI_Comm_free(made, ierror)
  call MPI_Group_free(everybody, ierror)
  call MPI_Group_free(world, ierror)
end subroutine communicators

program fortran_operations
  USE_MPI
  use state
  implicit none
  INCLUDE_MPI
  integer :: provided, level, ierror

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  call MPI_Query_thread(level, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, rank_count, ierror)
  call report('level', provided * 10 + level)
  call operations(MPI_COMM_WORLD, 'world')
  call communicators
  call between_groups
  call user_operation_and_addresses
  call memory
  call requests
#if defined(WITH_F08)
  call MPI_Barrier(MPI_COMM_WORLD)  ! without the error, which is optional here only
#endif
  call MPI_Finalize(ierror)
end program fortran_operations
