// disk-trace.c: loaded before libc into a process under test (LD_PRELOAD). Appends every change that the
// process makes to files below one folder to a trace, in order, together with what it writes to its standard
// output. The changes are carried out as usual; only syncing is recorded and skipped, because the content of
// the disk is computed from the trace (lossy-disk.ts).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum operation { CREATE = 1, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, MAKE_DIRECTORY, OUTPUT };

struct head {
  uint32_t operation, path_bytes, target_bytes, data_bytes;
  uint64_t inode, offset;
};

#define DESCRIPTORS 4096
static char *paths[DESCRIPTORS]; // of the files and directories that are traced
static uint64_t inodes[DESCRIPTORS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *root;
static size_t root_length;
static int trace = -1;

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static int real_open(const char *path, int flags, mode_t mode) {
  static int (*real)(const char *, int, ...);
  if (!real) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
  return real(path, flags, mode);
}

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("DISK_TRACE_FILE");
  root = getenv("DISK_TRACE_ROOT");
  if (!file || !root) return;
  root_length = strlen(root);
  trace = real_open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void fail(const char *words) {
  fprintf(stderr, "disk-trace: %s\n", words);
  abort();
}

static void note(enum operation operation, const char *path, const char *target, uint64_t inode, uint64_t offset,
                 const void *data, size_t length) {
  REAL(writev);
  struct head head = {operation, path ? strlen(path) : 0, target ? strlen(target) : 0, length, inode, offset};
  struct iovec parts[] = {{&head, sizeof head},
                          {(void *)path, head.path_bytes},
                          {(void *)target, head.target_bytes},
                          {(void *)data, length}};
  ssize_t whole = sizeof head + head.path_bytes + head.target_bytes + length;
  if (real(trace, parts, 4) != whole) fail("the trace cannot be written");
}

// SQLite rebuilds its shared index (-shm) after a power cut, whatever is left of it.
static int is_traced(const char *path) {
  size_t length = strlen(path);
  if (trace < 0 || strncmp(path, root, root_length) != 0) return 0;
  return length < 4 || strcmp(path + length - 4, "-shm") != 0;
}

static int is_traced_descriptor(int descriptor) {
  return descriptor >= 0 && descriptor < DESCRIPTORS && paths[descriptor] != NULL;
}

static int open_traced(const char *path, int flags, mode_t mode) {
  if (!is_traced(path)) return real_open(path, flags, mode);
  struct stat found;
  pthread_mutex_lock(&mutex);
  int existed = stat(path, &found) == 0;
  int descriptor = real_open(path, flags, mode);
  if (descriptor >= DESCRIPTORS) fail("too many descriptors");
  if (descriptor >= 0) {
    fstat(descriptor, &found);
    free(paths[descriptor]);
    paths[descriptor] = strdup(path);
    inodes[descriptor] = found.st_ino;
    if (!existed) note(CREATE, path, NULL, found.st_ino, 0, NULL, 0);
    else if (flags & O_TRUNC) note(TRUNCATE, NULL, NULL, found.st_ino, 0, NULL, 0);
  }
  pthread_mutex_unlock(&mutex);
  return descriptor;
}

#define OPEN(name)                                                   \
  int name(const char *path, int flags, ...) {                      \
    va_list rest;                                                    \
    va_start(rest, flags);                                           \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                    \
    return open_traced(path, flags, mode);                           \
  }
OPEN(open)
OPEN(open64)

int close(int descriptor) {
  REAL(close);
  pthread_mutex_lock(&mutex);
  if (is_traced_descriptor(descriptor)) {
    free(paths[descriptor]);
    paths[descriptor] = NULL;
  }
  int result = real(descriptor);
  pthread_mutex_unlock(&mutex);
  return result;
}

ssize_t pwrite64(int descriptor, const void *data, size_t length, off64_t offset) {
  REAL(pwrite64);
  if (!is_traced_descriptor(descriptor)) return real(descriptor, data, length, offset);
  pthread_mutex_lock(&mutex);
  ssize_t written = real(descriptor, data, length, offset);
  if (written > 0) note(WRITE, NULL, NULL, inodes[descriptor], offset, data, written);
  pthread_mutex_unlock(&mutex);
  return written;
}

ssize_t write(int descriptor, const void *data, size_t length) {
  REAL(write);
  if (trace < 0 || (descriptor != 1 && !is_traced_descriptor(descriptor))) return real(descriptor, data, length);
  pthread_mutex_lock(&mutex);
  ssize_t written = real(descriptor, data, length);
  if (written > 0 && descriptor == 1) note(OUTPUT, NULL, NULL, 0, 0, data, written);
  else if (written > 0)
    note(WRITE, NULL, NULL, inodes[descriptor], lseek(descriptor, 0, SEEK_CUR) - written, data, written);
  pthread_mutex_unlock(&mutex);
  return written;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  REAL(writev);
  if (is_traced_descriptor(descriptor)) fail("writev to a traced file is not recorded");
  return real(descriptor, parts, count);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
  REAL(pwritev);
  if (is_traced_descriptor(descriptor)) fail("pwritev to a traced file is not recorded");
  return real(descriptor, parts, count, offset);
}

int ftruncate64(int descriptor, off64_t size) {
  REAL(ftruncate64);
  if (!is_traced_descriptor(descriptor)) return real(descriptor, size);
  pthread_mutex_lock(&mutex);
  int result = real(descriptor, size);
  if (result == 0) note(TRUNCATE, NULL, NULL, inodes[descriptor], size, NULL, 0);
  pthread_mutex_unlock(&mutex);
  return result;
}

static int sync_traced(int descriptor) {
  pthread_mutex_lock(&mutex);
  note(SYNC, paths[descriptor], NULL, inodes[descriptor], 0, NULL, 0);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int fsync(int descriptor) {
  REAL(fsync);
  return is_traced_descriptor(descriptor) ? sync_traced(descriptor) : real(descriptor);
}

int fdatasync(int descriptor) {
  REAL(fdatasync);
  return is_traced_descriptor(descriptor) ? sync_traced(descriptor) : real(descriptor);
}

int rename(const char *from, const char *to) {
  REAL(rename);
  if (!is_traced(from) && !is_traced(to)) return real(from, to);
  pthread_mutex_lock(&mutex);
  int result = real(from, to);
  if (result == 0) note(RENAME, from, to, 0, 0, NULL, 0);
  pthread_mutex_unlock(&mutex);
  return result;
}

int unlink(const char *path) {
  REAL(unlink);
  if (!is_traced(path)) return real(path);
  pthread_mutex_lock(&mutex);
  int result = real(path);
  if (result == 0) note(UNLINK, path, NULL, 0, 0, NULL, 0);
  pthread_mutex_unlock(&mutex);
  return result;
}

int remove(const char *path) {
  REAL(remove);
  if (!is_traced(path)) return real(path);
  pthread_mutex_lock(&mutex);
  int result = real(path);
  if (result == 0) note(UNLINK, path, NULL, 0, 0, NULL, 0);
  pthread_mutex_unlock(&mutex);
  return result;
}

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  if (!is_traced(path)) return real(path, mode);
  pthread_mutex_lock(&mutex);
  int result = real(path, mode);
  if (result == 0) note(MAKE_DIRECTORY, path, NULL, 0, 0, NULL, 0);
  pthread_mutex_unlock(&mutex);
  return result;
}
