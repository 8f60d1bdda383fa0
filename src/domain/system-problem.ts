const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'part of its path is a file, not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder, not a file',
  EEXIST: 'a file with this name exists',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EADDRINUSE: 'another program uses this port. Choose another one, or 0 for any free one',
  EADDRNOTAVAIL: 'this machine does not have this address',
}

/** What the operating system refused, in words: `ENOENT` is "there is no such file or folder". */
export function systemProblem(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  return PROBLEMS[code ?? ''] ?? code ?? message ?? String(error)
}
