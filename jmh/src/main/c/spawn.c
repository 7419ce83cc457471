// SPDX-License-Identifier: Apache-2.0
//
// Starting processes, connecting two ranks, and messages between ranks that have met, on two ranks. Benches:
//   start    us from the call to the first message of each child and the end of the connection; children-1, -2, -4
//   connect  us for accept and connect of the two ranks, and the end of the connection; pair
//   latency  us for half a round trip of 8 bytes: world, inter (by accept and connect), merged (the same, merged)
// The children run this program without arguments.
#include "bench.h"

#define TAG 1

static char port[MPI_MAX_PORT_NAME];
static const char *self_path;
static int children;
static MPI_Comm current;
static int peer;

static void child(int *argc, char ***argv) {
  MPI_Comm parent;
  int rank;
  MPI_Init(argc, argv);
  MPI_Comm_get_parent(&parent);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Send(&rank, 1, MPI_INT, 0, TAG, parent);
  MPI_Comm_disconnect(&parent);
  MPI_Finalize();
}

static void spawn(const struct point *p, long iterations) {
  (void)p;
  for (long i = 0; i < iterations; i++) {
    MPI_Comm started;
    int from;
    MPI_Comm_spawn(self_path, MPI_ARGV_NULL, children, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &started,
                   MPI_ERRCODES_IGNORE);
    if (bench_rank == 0)
      for (int r = 0; r < children; r++) MPI_Recv(&from, 1, MPI_INT, r, TAG, started, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&started);
  }
}

// Opens the port when it is first needed: some builds of the libraries can spawn and have no ports.
static MPI_Comm connected(void) {
  MPI_Comm other;
  if (!port[0]) {
    if (bench_rank == 0) MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  if (bench_rank == 0) MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
  else MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
  return other;
}

static void connecting(const struct point *p, long iterations) {
  (void)p;
  for (long i = 0; i < iterations; i++) {
    MPI_Comm other = connected();
    MPI_Comm_disconnect(&other);
  }
}

static void round_trips(const struct point *p, long iterations) {
  char ping[8] = {0}, pong[8];
  (void)p;
  for (long i = 0; i < iterations; i++) {
    if (bench_rank == 0) {
      MPI_Send(ping, 8, MPI_BYTE, peer, TAG, current);
      MPI_Recv(pong, 8, MPI_BYTE, peer, TAG, current, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(pong, 8, MPI_BYTE, peer, TAG, current, MPI_STATUS_IGNORE);
      MPI_Send(ping, 8, MPI_BYTE, peer, TAG, current);
    }
  }
}

static void run_point(const struct point *p) {
  double values[MAX_REPETITIONS];
  if (!strcmp(p->bench, "start")) {
    children = atoi(p->name + strlen("children-"));
    double hop_ns = measure(spawn, p, values);
    print_micros(p, hop_ns, values, 1);
  } else if (!strcmp(p->bench, "connect")) {
    double hop_ns = measure(connecting, p, values);
    print_micros(p, hop_ns, values, 1);
  } else if (!strcmp(p->bench, "latency")) {
    current = MPI_COMM_WORLD;
    peer = 1 - bench_rank;
    if (strcmp(p->name, "world")) {
      MPI_Comm other = connected();
      current = other;
      peer = 0;
      if (!strcmp(p->name, "merged")) {
        MPI_Intercomm_merge(other, bench_rank, &current);
        peer = 1 - bench_rank;
      }
    }
    double hop_ns = measure(round_trips, p, values);
    print_micros(p, hop_ns, values, 2);
  } else {
    bench_fail("unknown bench", p->bench);
  }
}

static void set_up(void) {}

int main(int argc, char **argv) {
  if (argc == 1) {
    child(&argc, &argv);
    return 0;
  }
  self_path = argv[0];
  return bench_run(argc, argv, set_up, run_point);
}
