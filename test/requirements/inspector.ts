/** What we promise about the page. */
export const inspectorPromises: readonly (readonly [id: string, sentence: string])[] = [
  [
    'inspector-1',
    'The link of `daybook serve` opens the inspector: sessions with their scopes as a tree, conversations as they are written, state, compactions, facts with the words they came from, and recall with reasons. Each view has an address. Long conversations are drawn only where they are in view.',
  ],
  [
    'inspector-2',
    'The key of the link goes once to an httpOnly, SameSite=Strict cookie and leaves the address. The cookie counts only for requests of the page itself, and stops with the key.',
  ],
  [
    'inspector-3',
    'The inspector shows stored content only as text: 500 XSS payloads in every field run nothing and request nothing from elsewhere. Characters that hide or turn text around are shown as code points. Other sites cannot frame it.',
  ],
  [
    'inspector-4',
    'The inspector can be used by keyboard alone, has no violations of WCAG 2 A and AA that axe finds, in light and dark, and never scrolls sideways at 360 px.',
  ],
  ['inspector-5', 'While the server is away, the inspector keeps what it shows and says so; it goes on by itself.'],
  ['inspector-6', 'The first view of the inspector loads at most 60 kB of script, compressed; the whole page 200 kB.'],
  [
    'inspector-7',
    'With a key that may write, the inspector endorses, rejects and retracts facts, takes back what a message taught, undoes a compaction, edits a message as a revision, and forks from any message.',
  ],
  [
    'inspector-8',
    'The inspector destroys only after a dry run and with the name typed; the server wants its own confirmation of that dry run, for that target, at most two minutes old.',
  ],
  [
    'inspector-9',
    'At `/me` a person with a key for one scope sees in sentences what is known about them and where it came from, corrects it, has it destroyed with a receipt, and downloads everything.',
  ],
  ['inspector-10', "`sessions({ order: 'active' })` lists those first that changed last."],
  [
    'inspector-11',
    'A context that may write leaves a record for 30 days: `contexts()` lists them in numbers, and `contextAt(id)` gives the messages again, byte for byte, and says whether they agree with the digest of what was handed out.',
  ],
  [
    'inspector-12',
    'Contexts with `compact: false`, of a memory opened read-only or of a key that may not write leave no record. `forget` takes the records that may show what it destroys.',
  ],
  [
    'inspector-14',
    'Nobody waits for the record of a context. Where contexts are built faster than records can be written, some are left out, and the next one says how many. What a record costs is measured.',
  ],
  [
    'inspector-13',
    '`context({ asOf })` rebuilds the context of an earlier moment, says that it is rebuilt, and stores nothing.',
  ],
  [
    'inspector-15',
    'A slider over the turns shows each request exactly as it was sent, what is new in it, what was cached, its receipt in words, and whether its digest matches.',
  ],
  [
    'inspector-16',
    'The inspector shows the tokens of a session by kind over the turns with budget, marks and compactions, the share that was cached, and the cost under prices that you type. The same numbers are in a table.',
  ],
  [
    'inspector-17',
    '`session.simulateCache(policies, prices)` replays a session under each policy, also behind a server, and leaves it as it is.',
  ],
  [
    'inspector-18',
    'How long the first view takes with 10,000 sessions, and the longest task while dragging over 5,000 turns, scrolling 100,000 messages and moving a graph of 3,000 nodes, is measured in Chromium, as wall time and as processor time.',
  ],
  [
    'inspector-19',
    '`scope.watch()` follows a scope: new sessions and messages, other changes of sessions, compactions, facts and jobs, however many and whichever process made them, conversations that are imported with old times, and that a conversation was forgotten as a whole; in the library, through the client, and as server-sent events. With the cursor of an event, or `Last-Event-ID`, it continues after that event and leaves nothing out.',
  ],
  [
    'inspector-20',
    'One blob by its hash comes as bytes: an image has its own type, anything else is a download, all of it in a sandbox and never as HTML. The inspector shows images through it.',
  ],
  [
    'inspector-21',
    'An uploaded file is imported as `scope.import` does, with a dry run, progress and a report. In the inspector it is dropped on the page.',
  ],
  [
    'inspector-22',
    '`sessions({ preview: true })` says of each session who spoke last, and how large its last recorded context was.',
  ],
  [
    'inspector-23',
    'The inspector draws what is known as a graph with a list of the same facts, compares what was known at two moments, and shows proposals line by line, to be applied and reverted.',
  ],
  [
    'inspector-24',
    'Every view of the inspector shows its data on PostgreSQL as well, and so do the states: an empty memory, no such session, nothing found, a wrong key, a conversation that was forgotten while open, and a server that restarts.',
  ],
  [
    'inspector-25',
    'In the inspector a hit of recall is saved as expected. `daybook bench recall` asks these questions again, says which answers are found, and fails if one is missing.',
  ],
  [
    'inspector-26',
    'The inspector has a written state for a wrong, expired or read-only key, a conversation that was forgotten while open, a request that differs from its digest, a message of 16 MB and a million facts.',
  ],
  [
    'inspector-27',
    'Values, tasks and notes of a session are edited in the inspector only if nobody changed them since they were read; otherwise both are shown and nothing is lost. Each value shows the versions it had, and goes back to one of them.',
  ],
  [
    'inspector-28',
    'Facts in quarantine stand in a list of their own with the words they came from and what is believed instead, to be endorsed or rejected there.',
  ],
  [
    'inspector-29',
    'The inspector builds the next request as the program built the last one. Another budget or policy is tried beside it without storing anything, and the request is copied as any dialect or as a command.',
  ],
  [
    'inspector-30',
    'A site that is open beside the inspector in the same browser can neither frame it nor read or write with its cookie, nor reach it under a name that it binds to the address of the server. Only `/me` can be framed, by the origins of `--frame-ancestors`.',
  ],
]
