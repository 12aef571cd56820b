// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A library to preload: what a program does with files under one folder is counted, and one of
// these operations, or all from one on, fails or ends the program.
//
//   FAULTS_FOLDER   the folder
//   FAULTS_AT       the operation, counted from 0; without it operations are only counted
//   FAULTS_ERROR    the number of the error, or "kill-before", "kill-amid", "kill-after"
//   FAULTS_ON       1: every operation from there on fails
//   FAULTS_EVERY    N: one in N operations fails, spread by chance, without FAULTS_AT
//   FAULTS_NAME     only operations of this name fail
//   FAULTS_DELAY    microseconds that every operation takes
//   FAULTS_RENAME   "copy": a file that is renamed comes in two halves, one after the other, in its
//                   new place
//   FAULTS_REPORT   a file that becomes the names of the operations, one a line
//
// A failing write has written half, a failing close has closed: the worst that systems do.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { kMaxFd = 4096 };

static pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
static int g_count;
static char g_ours[kMaxFd];  // descriptors of files in the folder

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_inside(const char* path) {
  const char* folder = getenv("FAULTS_FOLDER");
  return folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_ours(int fd) { return fd >= 0 && fd < kMaxFd && g_ours[fd]; }

static int keep(int fd) {
  if (fd >= 0 && fd < kMaxFd) g_ours[fd] = 1;
  return fd;
}

static void report(const char* name) {
  const char* path = getenv("FAULTS_REPORT");
  if (path == NULL) return;
  const int fd = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  char line[64];
  const int size = snprintf(line, sizeof(line), "%s\n", name);
  if (REAL(write)(fd, line, (size_t)size) != size) abort();
  REAL(close)(fd);
}

enum { kGo, kFail, kAmid, kAfter };

// What is to become of this operation; for kFail with errno set.
static int fate(const char* name) {
  pthread_mutex_lock(&g_mutex);
  const int number = g_count++;
  report(name);
  pthread_mutex_unlock(&g_mutex);
  const char* at = getenv("FAULTS_AT");
  const char* on = getenv("FAULTS_ON");
  const char* error = getenv("FAULTS_ERROR");
  const char* delay = getenv("FAULTS_DELAY");
  if (delay != NULL) usleep((useconds_t)atoi(delay));
  const char* only = getenv("FAULTS_NAME");
  if (only != NULL && strcmp(only, name) != 0) return kGo;
  const char* every = getenv("FAULTS_EVERY");
  if (every != NULL && rand() % atoi(every) == 0) {
    errno = atoi(error);
    return kFail;
  }
  if (at == NULL || error == NULL) return kGo;
  if (number != atoi(at) && !(on != NULL && on[0] == '1' && number > atoi(at))) return kGo;
  if (strcmp(error, "kill-before") == 0) kill(getpid(), SIGKILL);
  if (strcmp(error, "kill-amid") == 0) return kAmid;
  if (strcmp(error, "kill-after") == 0) return kAfter;
  errno = atoi(error);
  return kFail;
}

static void die_if(int fate) {
  if (fate == kAmid || fate == kAfter) kill(getpid(), SIGKILL);
}

// An operation that is done or not.
#define OPERATION(ours, name, failed, call) \
  do {                                      \
    if (!(ours)) return call;               \
    const int what = fate(name);            \
    if (what == kFail) return failed;       \
    const __typeof__(call) result = call;   \
    die_if(what);                           \
    return result;                          \
  } while (0)

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  va_end(list);
  if (!is_inside(path)) return REAL(open)(path, flags, mode);
  const int what = fate((flags & O_CREAT) != 0 ? "create" : "open");
  if (what == kFail) return -1;
  const int fd = keep(REAL(open)(path, flags, mode));
  die_if(what);
  return fd;
}

int fstat(int fd, struct stat* status) {
  OPERATION(is_ours(fd), "stat", -1, REAL(fstat)(fd, status));
}

int stat(const char* path, struct stat* status) {
  OPERATION(is_inside(path), "stat", -1, REAL(stat)(path, status));
}

int fstatat(int fd, const char* path, struct stat* status, int flags) {
  OPERATION(is_ours(fd), "stat", -1, REAL(fstatat)(fd, path, status, flags));
}

ssize_t read(int fd, void* buffer, size_t size) {
  OPERATION(is_ours(fd), "read", -1, REAL(read)(fd, buffer, size));
}

ssize_t write(int fd, const void* buffer, size_t size) {
  if (!is_ours(fd)) return REAL(write)(fd, buffer, size);
  const int what = fate("write");
  const int error = errno;
  const ssize_t done = REAL(write)(fd, buffer, what == kFail || what == kAmid ? size / 2 : size);
  die_if(what);
  errno = error;
  return what == kFail ? -1 : done;
}

int fsync(int fd) { OPERATION(is_ours(fd), "fsync", -1, REAL(fsync)(fd)); }

int close(int fd) {
  if (!is_ours(fd)) return REAL(close)(fd);
  const int what = fate("close");
  const int error = errno;
  g_ours[fd] = 0;
  REAL(close)(fd);
  die_if(what);
  errno = error;
  return what == kFail ? -1 : 0;
}

int flock(int fd, int operation) {
  OPERATION(is_ours(fd), "flock", -1, REAL(flock)(fd, operation));
}

int mkdir(const char* path, mode_t mode) {
  OPERATION(is_inside(path), "mkdir", -1, REAL(mkdir)(path, mode));
}

static int copy_rename(const char* from, const char* to) {
  static char bytes[1 << 20];
  pthread_mutex_lock(&g_mutex);
  const int in = REAL(open)(from, O_RDONLY);
  const int out = REAL(open)(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const ssize_t size = in < 0 ? -1 : REAL(read)(in, bytes, sizeof(bytes));
  int code = size < 0 || out < 0 ? -1 : 0;
  for (int half = 0; half < 2 && code == 0; ++half) {
    const ssize_t begin = half == 0 ? 0 : size / 2;
    const ssize_t end = half == 0 ? size / 2 : size;
    if (REAL(write)(out, bytes + begin, (size_t)(end - begin)) != end - begin) code = -1;
    if (half == 0) usleep(2000);
  }
  REAL(close)(in);
  REAL(close)(out);
  REAL(unlink)(from);
  pthread_mutex_unlock(&g_mutex);
  return code;
}

int rename(const char* from, const char* to) {
  const char* how = getenv("FAULTS_RENAME");
  if (is_inside(from) && how != NULL && strcmp(how, "copy") == 0) return copy_rename(from, to);
  OPERATION(is_inside(from), "rename", -1, REAL(rename)(from, to));
}

int unlink(const char* path) { OPERATION(is_inside(path), "unlink", -1, REAL(unlink)(path)); }

int utimensat(int fd, const char* path, const struct timespec times[2], int flags) {
  OPERATION(is_inside(path), "touch", -1, REAL(utimensat)(fd, path, times, flags));
}

DIR* opendir(const char* path) {
  if (!is_inside(path)) return REAL(opendir)(path);
  const int what = fate("opendir");
  if (what == kFail) return NULL;
  DIR* folder = REAL(opendir)(path);
  if (folder != NULL) keep(dirfd(folder));
  die_if(what);
  return folder;
}

struct dirent* readdir(DIR* folder) {
  OPERATION(is_ours(dirfd(folder)), "readdir", NULL, REAL(readdir)(folder));
}

int closedir(DIR* folder) {
  const int fd = dirfd(folder);
  if (is_ours(fd)) g_ours[fd] = 0;
  return REAL(closedir)(folder);
}
