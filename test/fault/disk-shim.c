/* Stands between a program and its disk (LD_PRELOAD). Calls on files whose path contains PL_MATCH are written to the
 * journal PL_LOG, so that a test can replay a power cut at any point, or fail from the PL_FAIL_AT-th on.
 *   PL_FAIL_ERRNO   5 EIO, 28 ENOSPC (a write then leaves its first 512 bytes behind)
 *   PL_FAIL_KIND    sum of 1 write, 2 sync, 4 truncate; 0 for all
 *   PL_FAIL_STICKY  set: every later call fails as well
 * A record is a header (struct entry), the file's name, and for a write its bytes. What the program appends to a file
 * <name>.mark is recorded as an acknowledgement, without its bytes, in order with everything else. The shared memory
 * file (-shm) is left out: it does not survive a power cut. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES_MAX 65536
enum { WRITE = 1, SYNC = 2, TRUNCATE = 3, UNLINK = 4, ACK = 5, PLAIN_WRITE = 6 };
struct entry { uint8_t kind, name_length; uint16_t unused; uint32_t length; uint64_t offset; };

static char *watched[FILES_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int journal = -1;
static const char *part_of_path;
static long calls, fail_at = -1;
static int fail_errno, fail_kinds, fail_sticky;

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_open)(const char *, int, ...), (*real_close)(int), (*real_unlink)(const char *);
static int (*real_fsync)(int), (*real_fdatasync)(int), (*real_ftruncate)(int, off_t);

static long number_from(const char *name, long otherwise) { return getenv(name) ? atol(getenv(name)) : otherwise; }

__attribute__((constructor)) static void start(void) {
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64"), real_write = dlsym(RTLD_NEXT, "write");
  real_open = dlsym(RTLD_NEXT, "open64"), real_close = dlsym(RTLD_NEXT, "close"), real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_fsync = dlsym(RTLD_NEXT, "fsync"), real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  part_of_path = getenv("PL_MATCH");
  fail_at = number_from("PL_FAIL_AT", -1), fail_errno = (int)number_from("PL_FAIL_ERRNO", EIO);
  fail_kinds = (int)number_from("PL_FAIL_KIND", 0), fail_sticky = getenv("PL_FAIL_STICKY") != NULL;
  if (getenv("PL_LOG")) journal = real_open(getenv("PL_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0644);
}

static const char *name_of(int fd) { return fd >= 0 && fd < FILES_MAX ? watched[fd] : NULL; }

static const char *last_part(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }
static int is_ours(const char *path) { return part_of_path && strstr(path, part_of_path) && !strstr(path, "-shm"); }

static int fails(int kind) {
  if (fail_at < 0 || (fail_kinds && !(fail_kinds & kind))) return 0;
  long call = __sync_add_and_fetch(&calls, 1);
  if (call != fail_at && !(fail_sticky && call > fail_at)) return 0;
  errno = fail_errno;
  return 1;
}

static void note(int kind, const char *name, uint64_t offset, const void *bytes, uint32_t length) {
  if (journal < 0) return;
  struct entry entry = {(uint8_t)kind, (uint8_t)strlen(name), 0, length, offset};
  pthread_mutex_lock(&lock);
  int whole = real_write(journal, &entry, sizeof entry) == sizeof entry && real_write(journal, name, entry.name_length) >= 0;
  if (whole && kind == WRITE && length) whole = real_write(journal, bytes, length) == (ssize_t)length;
  pthread_mutex_unlock(&lock);
  if (!whole) { perror("disk-shim: journal"); abort(); }
}

static int open_and_watch(const char *path, int flags, mode_t mode) {
  int fd = real_open(path, flags, mode);
  if (fd >= 0 && fd < FILES_MAX) watched[fd] = is_ours(path) ? strdup(last_part(path)) : NULL;
  return fd;
}
#define OPEN(name) int name(const char *path, int flags, ...) { va_list rest; va_start(rest, flags); \
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; va_end(rest); \
  return open_and_watch(path, flags, mode); }
OPEN(open)
OPEN(open64)
int close(int fd) { if (name_of(fd)) watched[fd] = NULL; return real_close(fd); }

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) {
  if (name_of(fd) && fails(1)) {
    if (fail_errno == ENOSPC && length > 512 && real_pwrite(fd, bytes, 512, offset) < 0) return -1;
    errno = fail_errno;
    return -1;
  }
  ssize_t written = real_pwrite(fd, bytes, length, offset);
  if (written > 0 && name_of(fd)) note(WRITE, name_of(fd), (uint64_t)offset, bytes, (uint32_t)written);
  return written;
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return pwrite64(fd, bytes, length, offset); }
static int sync_with(int (*real)(int), int fd) {
  if (name_of(fd) && fails(2)) return -1;
  if (name_of(fd)) note(SYNC, name_of(fd), 0, NULL, 0);
  return real(fd);
}
int fsync(int fd) { return sync_with(real_fsync, fd); }
int fdatasync(int fd) { return sync_with(real_fdatasync, fd); }
int ftruncate64(int fd, off_t length) {
  if (name_of(fd) && fails(4)) return -1;
  int result = real_ftruncate(fd, length);
  if (result == 0 && name_of(fd)) note(TRUNCATE, name_of(fd), (uint64_t)length, NULL, 0);
  return result;
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }
int unlink(const char *path) {
  int result = real_unlink(path);
  if (result == 0 && is_ours(path)) note(UNLINK, last_part(path), 0, NULL, 0);
  return result;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  ssize_t written = real_write(fd, bytes, length);
  if (written > 0 && name_of(fd)) note(strstr(name_of(fd), ".mark") ? ACK : PLAIN_WRITE, name_of(fd), 0, NULL, 0);
  return written;
}
