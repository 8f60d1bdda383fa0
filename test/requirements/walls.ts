/** What we promise about walls: tenants, long texts, verification, files, secrets. */
export const wallsPromises: readonly (readonly [id: string, sentence: string])[] = [
  [
    'walls-290',
    'A request of a Mem0 client that names many users lets other callers be served, and is refused above a limit.',
  ],
  [
    'walls-291',
    'A context of a session with hundreds of thousands of messages that were never compacted is built in steps, and others run in between.',
  ],
  [
    'walls-292',
    'A request is refused before it is parsed if it has more levels, fields, texts, lists or objects than a server takes, however few bytes they are.',
  ],
  ['walls-294', 'Importing a conversation of any number of messages, and forgetting it, lets others run in between.'],
  ['walls-293', 'Consolidating thousands of long facts lets others run in between, and proposes the same.'],
  ['walls-295', '`npm run walls` prints the figures of four goals: changed bytes, tenants, hostile input, and load.'],
  [
    'walls-296',
    'After everything of a scope is forgotten, a name is only where the documentation says that it stays: names of keys and of models.',
  ],
  ['walls-1', 'A usage report changes nothing for another root scope: neither its contexts nor what is stored.'],
  ['walls-2', "A compaction is never stored because of another scope's usage report."],
  ['walls-3', 'An operator can switch calibration off, in the library and for a server.'],
  ['walls-4', 'The first usage report is limited in what it can change, as later ones are.'],
  [
    'walls-5',
    '`recall`, also in contexts and tools, returns messages and summaries of the asked scope only; `ancestors: true` adds those of its ancestors. Facts of ancestors are always inherited.',
  ],
  [
    'walls-6',
    'With a key, `ancestors: true` works only if the key covers the ancestors; otherwise it is refused with 403.',
  ],
  [
    'walls-7',
    'A fold quotes what tools, documents and the web said as data, in a block that none of 500 break-out strings in any field can leave, in any dialect.',
  ],
  ['walls-8', 'Identifiers that only an untrusted source named stand apart in a fold.'],
  ['walls-9', 'A fold is never trusted more than its least trusted part, and the context and its receipt show it.'],
  ['walls-10', 'A password in an address is in no error, log or page, also when the address is misspelt.'],
  ['walls-11', 'A malformed address is refused as `input/invalid`.'],
  ['walls-12', 'Serving a database asks for `--key-file`; a missing folder for backups is reported at the start.'],
  [
    'walls-13',
    'The link with the admin key is printed at each start on a terminal, elsewhere at the first start only and on request.',
  ],
  [
    'walls-14',
    'A key without `read` gets ids of what it made itself and counts, and nothing else, from any operation, error or tool.',
  ],
  [
    'walls-15',
    'A key that was revoked or has expired gets nothing more on an open watch; the stream ends with a problem document.',
  ],
  [
    'walls-16',
    'Speaking as the system, also as a description, in bulk, in imports and in revisions, needs the verb `instruct`; without it nothing is stored.',
  ],
  ['walls-17', 'The history of a fact of another scope is not found, as the fact itself.'],
  ['walls-18', 'A request in absolute form is checked as the others are.'],
  [
    'walls-100',
    'No regular expression over stored or received text takes more than linear time: a test finds every one in `src/` and runs it against repeated patterns.',
  ],
  [
    'walls-101',
    'Functions that read stored or received text take linear time: each is run against repeated patterns, at night with up to 4 MiB.',
  ],
  ['walls-102', 'A long message is analysed in slices: others run in between.'],
  [
    'walls-103',
    'A recall waits at most 50 ms for messages to be indexed. Then it returns what is indexed and how far `behind` it is, and `fresh: true` waits for all; nobody waits for the backlog of another scope. After one recall waited in vain, the next ones do not wait until all is indexed.',
  ],
  ['walls-104', 'Indexing runs in the background after each change, and `settled()` waits for it.'],
  ['walls-105', 'If the index cannot be written, recall returns what is indexed and reports the reason.'],
  [
    'walls-200',
    'If a database file is removed, moved or replaced while it is open, or loses its write-ahead log, no write is acknowledged any more: it fails with `store/replaced`.',
  ],
  [
    'walls-201',
    'A clock that was far ahead stamps no later message: a stamp more than five minutes ahead of the clock is not carried on, and the append has a warning.',
  ],
  [
    'walls-203',
    '`verify` walks the audit trail of a server and reports every entry that was changed, removed or added.',
  ],
  [
    'walls-204',
    '`verify` finds a change of any column of any table, but for a short list of operational columns. What is derived is compared with what the log gives. Each finding says whether the data is primary or derived, where it is, and what to do.',
  ],
  [
    'walls-205',
    'Each table is labelled as primary, derived or operational in one place, and rows that no hash chain covers have a digest each.',
  ],
  ['walls-206', 'A session that has only state, notes or tasks is listed and can be forgotten.'],
  [
    'walls-207',
    'A database file that others on the machine may read is reported, and `tightenMode: true` or `daybook verify --tighten` lets only its owner read it.',
  ],
  [
    'walls-208',
    'A file can be opened with `readOnly: true`, or `--read-only` in commands that only read: nothing is written, no background work runs, and every change fails with `store/read-only`.',
  ],
  [
    'walls-209',
    'A memory on a read-only medium, and one that an older version wrote, can be read with `readOnly: true`.',
  ],
  [
    'walls-210',
    '`memory.head()` and `daybook head` state where each session, the facts of each root scope, each state and the audit trail end. The statement stays true while they grow and when something is forgotten.',
  ],
  [
    'walls-211',
    '`verify({ head })` and `daybook verify --head file` find what was cut off the end or replaced since the statement, such as a write-ahead log that was removed.',
  ],
  ['walls-212', 'A statement of heads is signed with `--sign-key`, and otherwise labelled as unsigned.'],
  ['walls-213', 'A random bit of the file that changes a row is found by `verify`: 10,000 are tried each night.'],
  ['walls-214', 'A session that is forgotten while it is being indexed or learned from leaves nothing behind.'],
  [
    'walls-215',
    'Half-open and idle connections of one address lock nobody out: above a limit, the one that has been idle longest is closed. Near the limit of all connections, a header has less time.',
  ],
  [
    'walls-216',
    'On a full disk, recall returns what is indexed and how far behind it is, and `forget` works: a process that keeps a memory open keeps some room on the disk for it. Old pages are overwritten when there is room.',
  ],
  ['walls-217', 'A benchmark prints the longest task on the event loop for long texts and large requests.'],
  ['walls-218', 'A program that waits for `settled()` does not end before it resolves.'],
  [
    'walls-240',
    'A long message is indexed in several small transactions, and a crash between them neither loses nor repeats a word.',
  ],
  [
    'walls-241',
    'A write of many statements, such as a thousand facts in one call, lets other calls run and read until it is done.',
  ],
  ['walls-243', 'A long answer of the server, such as the history of a long session, is written and sent in pieces.'],
  [
    'walls-245',
    'A key that is revoked or expires during an export, an import or a bulk append gets and stores nothing more.',
  ],
  [
    'walls-246',
    'A line of a bulk append may arrive in any number of pieces, and long lines are stored in small batches.',
  ],
  [
    'walls-247',
    'Importing an old archive brings back nothing that was forgotten here, and is no conflict because of it: it is left out and counted.',
  ],
  [
    'walls-248',
    'Listing sessions reads each session once, however many forks share it, so that deep forks of one scope hold up nobody.',
  ],
  ['walls-244', 'A compaction of long messages lets others run, and gives the same folds as without pauses.'],
  ['walls-242', 'A long message that recall shows in part is read once to cut it, not at each question.'],
  ['walls-202', 'A backup that finds no free file descriptor fails with a code and leaves no file behind.'],
  ['walls-40', 'A memory can be closed at any moment, whatever it does in the background.'],
  ['walls-41', 'A tool that finds nothing says so if messages are not indexed yet, so that the agent looks again.'],
  [
    'walls-219',
    'Appends over HTTP do not pass through the framework, and get the same checks and responses as if they did.',
  ],
  [
    'walls-220',
    'Requests that arrive together share one read of their key. A key is refused from the moment at which it is revoked.',
  ],
  ['walls-221', 'Processes that write to the same sessions on PostgreSQL leave no error in the log of the server.'],
  [
    'walls-222',
    'A benchmark runs 64 connections of mixed work, ten minutes of it at night, and prints how much memory grows, the slowest recalls, and what a quiet key notices of a noisy one.',
  ],
  [
    'walls-223',
    'A server works on a few requests of a key at a time, except appends, and on few of any kind while other keys are active: nobody waits for many requests of somebody else. Of those that wait, questions (`recall`, `search`) go first every second time. Requests that wait for a model or a network hold up no other request of their key.',
  ],
  ['walls-224', 'A benchmark prints what digests cost an append, and how many messages `verify` checks in a second.'],
  ['walls-254', 'Pages of long messages are read from a file in steps, and others run in between.'],
  ['walls-255', 'A transcript of any length is synced without reading it again for each part that is stored.'],
  [
    'walls-251',
    'A fact of an ancestor names the messages that it was learned from by id, and brings none of their words to a key that may not read them.',
  ],
  [
    'walls-252',
    'While long texts are appended, indexed and recalled, a benchmark asks for `/healthz` all the time and prints how long the slowest hundredth took.',
  ],
  [
    'walls-260',
    '`verify` with a statement of heads finds a row that was deleted from any table, and an old row that was put back, such as that of a revoked key. A page names the tables whose rows may vanish unseen, and why.',
  ],
  [
    'walls-261',
    '`verify` alone finds a deleted row that other rows name: all sources of a fact, a version of a fact, the row of a key that was made or revoked through the server, and any row of the search index that holds something.',
  ],
  [
    'walls-250',
    'Revisions and versions of what is known count the changes of a scope and its ancestors. They show nothing about how much other scopes write. Only archives have the numbers of the root.',
  ],
]
