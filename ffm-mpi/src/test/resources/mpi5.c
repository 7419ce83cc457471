/* SPDX-License-Identifier: Apache-2.0
 *
 * A library with the ABI of MPI-5, for a test where none is installed: it hands calls to MPICH's library, with handles,
 * numbers and statuses translated. It has what NativePingPong calls; everything else is only there to be found. And it
 * takes SIGSEGV over, when it is loaded and when MPI is initialized, as libraries do that know no JVM.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef long handle;

struct mpi5_status {
  int source, tag, error, internal[5];
};

struct mpich_status {
  int count_low, count_high_and_cancelled, source, tag, error;
};

static int (*real (const char *name)) ()
{
  static void *mpich;
  if (!mpich) {
    mpich = dlopen ("libmpich.so.12", RTLD_NOW);
  }
  return (int (*) ()) dlsym (mpich, name);
}

static void caught (int number)
{
  (void) number;
  _exit (77);
}

static void take_signal (void)
{
  struct sigaction action;
  memset (&action, 0, sizeof action);
  action.sa_handler = caught;
  sigaction (SIGSEGV, &action, NULL);
}

__attribute__ ((constructor)) static void loaded (void)
{
  take_signal ();
}

static int comm_in (handle comm)
{
  return comm == 0x100 ? 0x04000000 : comm == 0x101 ? 0x44000000 : (int) comm;
}

static handle comm_out (int comm)
{
  return comm == 0x04000000 ? 0x100 : comm;
}

static int type_in (handle type)
{
  return type == 0x247 ? 0x4c00010d : -1;
}

static int rank_in (int rank)
{
  return rank == -1 ? -2 : rank == -3 ? -1 : rank;
}

static int tag_in (int tag)
{
  return tag == -2 ? -1 : tag;
}

int MPI_Abi_get_version (int *major, int *minor)
{
  *major = 1;
  *minor = 0;
  return 0;
}

int MPI_Get_library_version (char *text, int *length)
{
  *length = sprintf (text, "A test of MPI-5 over MPICH");
  return 0;
}

int MPI_Init_thread (int *argc, char ***argv, int required, int *provided)
{
  int code = real ("MPI_Init_thread") (argc, argv, required / 1024 - (required == 4096), provided);
  *provided = *provided == 3 ? 4096 : *provided * 1024;
  take_signal ();
  return code;
}

int MPI_Finalize (void)
{
  return real ("MPI_Finalize") ();
}

int MPI_Error_class (int code, int *class)
{
  return real ("MPI_Error_class") (code, class);
}

int MPI_Error_string (int code, char *text, int *length)
{
  return real ("MPI_Error_string") (code, text, length);
}

int MPI_Comm_set_errhandler (handle comm, handle handler)
{
  return real ("MPI_Comm_set_errhandler") (comm_in (comm), handler == 0x142 ? 0x54000001 : 0x54000000);
}

int MPI_Comm_size (handle comm, int *size)
{
  return real ("MPI_Comm_size") (comm_in (comm), size);
}

int MPI_Comm_rank (handle comm, int *rank)
{
  return real ("MPI_Comm_rank") (comm_in (comm), rank);
}

int MPI_Comm_dup (handle comm, handle *made)
{
  int there;
  int code = real ("MPI_Comm_dup") (comm_in (comm), &there);
  *made = comm_out (there);
  return code;
}

int MPI_Comm_free (handle *comm)
{
  int there = comm_in (*comm);
  int code = real ("MPI_Comm_free") (&there);
  *comm = comm_out (there);
  return code;
}

int MPI_Isend (const void *buf, int count, handle type, int dest, int tag, handle comm, handle *request)
{
  int there;
  int code = real ("MPI_Isend") (buf, count, type_in (type), rank_in (dest), tag, comm_in (comm), &there);
  *request = there;
  return code;
}

int MPI_Irecv (void *buf, int count, handle type, int source, int tag, handle comm, handle *request)
{
  int there;
  int code = real ("MPI_Irecv") (
      buf, count, type_in (type), rank_in (source), tag_in (tag), comm_in (comm), &there);
  *request = there;
  return code;
}

int MPI_Test (handle *request, int *flag, struct mpi5_status *status)
{
  int there = *request == 0x180 ? 0x2c000000 : (int) *request;
  struct mpich_status theirs;
  int code = real ("MPI_Test") (&there, flag, &theirs);
  *request = there == 0x2c000000 ? 0x180 : there;
  if (*flag && status) {
    status->source = theirs.source;
    status->internal[0] = theirs.count_low;
    status->internal[1] = theirs.count_high_and_cancelled;
  }
  return code;
}

int MPI_Get_count_c (const struct mpi5_status *status, handle type, long *count)
{
  *count = type == 0x247 ? status->internal[0] : -1;
  return 0;
}

#define ONLY_THERE(name) \
  int name (void) \
  { \
    fputs (#name " is not for this test\n", stderr); \
    _exit (78); \
  }
ONLY_FUNCTIONS
