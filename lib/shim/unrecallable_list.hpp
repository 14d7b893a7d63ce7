// Calls that wait for other ranks inside MPI and that nothing can recall: one line each, which C's functions and
// Fortran's are made from.
//
//   X(C's name and Fortran's after their prefixes, number of arguments)
#pragma once

// These make a window, the last argument.
#define DETOUR_WINDOW_MAKING_CALLS(X)                                 \
  X(Win_create, win_create, WIN_CREATE, 6)                            \
  X(Win_allocate, win_allocate, WIN_ALLOCATE, 6)                      \
  X(Win_allocate_shared, win_allocate_shared, WIN_ALLOCATE_SHARED, 6) \
  X(Win_create_dynamic, win_create_dynamic, WIN_CREATE_DYNAMIC, 3)

#define DETOUR_WINDOW_CALLS(X)                                        \
  X(Win_fence, win_fence, WIN_FENCE, 2)                               \
  X(Win_start, win_start, WIN_START, 3)                               \
  X(Win_complete, win_complete, WIN_COMPLETE, 1)                      \
  X(Win_post, win_post, WIN_POST, 3)                                  \
  X(Win_wait, win_wait, WIN_WAIT, 1)                                  \
  X(Win_test, win_test, WIN_TEST, 2)                                  \
  X(Win_lock, win_lock, WIN_LOCK, 4)                                  \
  X(Win_lock_all, win_lock_all, WIN_LOCK_ALL, 2)                      \
  X(Win_unlock, win_unlock, WIN_UNLOCK, 2)                            \
  X(Win_unlock_all, win_unlock_all, WIN_UNLOCK_ALL, 1)                \
  X(Win_flush, win_flush, WIN_FLUSH, 2)                               \
  X(Win_flush_all, win_flush_all, WIN_FLUSH_ALL, 1)                   \
  X(Win_flush_local, win_flush_local, WIN_FLUSH_LOCAL, 2)             \
  X(Win_flush_local_all, win_flush_local_all, WIN_FLUSH_LOCAL_ALL, 1) \
  X(Put, put, PUT, 8)                                                 \
  X(Get, get, GET, 8)                                                 \
  X(Accumulate, accumulate, ACCUMULATE, 9)                            \
  X(Get_accumulate, get_accumulate, GET_ACCUMULATE, 12)               \
  X(Fetch_and_op, fetch_and_op, FETCH_AND_OP, 7)                      \
  X(Compare_and_swap, compare_and_swap, COMPARE_AND_SWAP, 7)

#define DETOUR_FILE_CALLS(X)                                                         \
  X(File_set_size, file_set_size, FILE_SET_SIZE, 2)                                  \
  X(File_preallocate, file_preallocate, FILE_PREALLOCATE, 2)                         \
  X(File_set_info, file_set_info, FILE_SET_INFO, 2)                                  \
  X(File_set_atomicity, file_set_atomicity, FILE_SET_ATOMICITY, 2)                   \
  X(File_sync, file_sync, FILE_SYNC, 1)                                              \
  X(File_seek_shared, file_seek_shared, FILE_SEEK_SHARED, 3)                         \
  X(File_get_position_shared, file_get_position_shared, FILE_GET_POSITION_SHARED, 2) \
  X(File_read_all, file_read_all, FILE_READ_ALL, 5)                                  \
  X(File_write_all, file_write_all, FILE_WRITE_ALL, 5)                               \
  X(File_read_at_all, file_read_at_all, FILE_READ_AT_ALL, 6)                         \
  X(File_write_at_all, file_write_at_all, FILE_WRITE_AT_ALL, 6)                      \
  X(File_read_ordered, file_read_ordered, FILE_READ_ORDERED, 5)                      \
  X(File_write_ordered, file_write_ordered, FILE_WRITE_ORDERED, 5)                   \
  X(File_read_shared, file_read_shared, FILE_READ_SHARED, 5)                         \
  X(File_write_shared, file_write_shared, FILE_WRITE_SHARED, 5)                      \
  X(File_iread_shared, file_iread_shared, FILE_IREAD_SHARED, 5)                      \
  X(File_iwrite_shared, file_iwrite_shared, FILE_IWRITE_SHARED, 5)                   \
  X(File_read_all_begin, file_read_all_begin, FILE_READ_ALL_BEGIN, 4)                \
  X(File_read_all_end, file_read_all_end, FILE_READ_ALL_END, 3)                      \
  X(File_write_all_begin, file_write_all_begin, FILE_WRITE_ALL_BEGIN, 4)             \
  X(File_write_all_end, file_write_all_end, FILE_WRITE_ALL_END, 3)                   \
  X(File_read_at_all_begin, file_read_at_all_begin, FILE_READ_AT_ALL_BEGIN, 5)       \
  X(File_read_at_all_end, file_read_at_all_end, FILE_READ_AT_ALL_END, 3)             \
  X(File_write_at_all_begin, file_write_at_all_begin, FILE_WRITE_AT_ALL_BEGIN, 5)    \
  X(File_write_at_all_end, file_write_at_all_end, FILE_WRITE_AT_ALL_END, 3)          \
  X(File_read_ordered_begin, file_read_ordered_begin, FILE_READ_ORDERED_BEGIN, 4)    \
  X(File_read_ordered_end, file_read_ordered_end, FILE_READ_ORDERED_END, 3)          \
  X(File_write_ordered_begin, file_write_ordered_begin, FILE_WRITE_ORDERED_BEGIN, 4) \
  X(File_write_ordered_end, file_write_ordered_end, FILE_WRITE_ORDERED_END, 3)

#define DETOUR_CONNECTING_CALLS(X)                           \
  X(Intercomm_create, intercomm_create, INTERCOMM_CREATE, 6) \
  X(Intercomm_merge, intercomm_merge, INTERCOMM_MERGE, 3)

// These take the object away.
#define DETOUR_FREEING_CALLS(X)            \
  X(Win_free, win_free, WIN_FREE, 1)       \
  X(File_close, file_close, FILE_CLOSE, 1) \
  X(Comm_disconnect, comm_disconnect, COMM_DISCONNECT, 1)

// These have texts among their arguments: Fortran passes the lengths of up to two at the end.
#define DETOUR_FILE_OPENING_CALLS(X) X(File_open, file_open, FILE_OPEN, 5)
#define DETOUR_CALLS_WITH_TEXT(X)                   \
  X(File_set_view, file_set_view, FILE_SET_VIEW, 6) \
  X(Comm_accept, comm_accept, COMM_ACCEPT, 5)       \
  X(Comm_connect, comm_connect, COMM_CONNECT, 5)    \
  X(Comm_spawn, comm_spawn, COMM_SPAWN, 8)          \
  X(Comm_spawn_multiple, comm_spawn_multiple, COMM_SPAWN_MULTIPLE, 9)

// These give out a request. Completing it may wait for the dead.
#define DETOUR_CALLS_WITH_REQUEST(X)                            \
  X(Rput, rput, RPUT, 9)                                        \
  X(Rget, rget, RGET, 9)                                        \
  X(Raccumulate, raccumulate, RACCUMULATE, 10)                  \
  X(Rget_accumulate, rget_accumulate, RGET_ACCUMULATE, 13)      \
  X(File_iread_all, file_iread_all, FILE_IREAD_ALL, 5)          \
  X(File_iwrite_all, file_iwrite_all, FILE_IWRITE_ALL, 5)       \
  X(File_iread_at_all, file_iread_at_all, FILE_IREAD_AT_ALL, 6) \
  X(File_iwrite_at_all, file_iwrite_at_all, FILE_IWRITE_AT_ALL, 6)
