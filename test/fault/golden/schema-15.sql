CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL);
CREATE TABLE sessions (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      scope TEXT NOT NULL,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      last_seq INTEGER NOT NULL,
      version INTEGER NOT NULL,
      genesis BLOB NOT NULL,
      head BLOB NOT NULL,
      parent_key INTEGER REFERENCES sessions (key),
      parent_seq INTEGER,
      parent_version INTEGER,
      parent_link BLOB,
      UNIQUE (scope, name)
    );
CREATE INDEX sessions_by_scope ON sessions (scope, key);
CREATE TABLE messages (
      session INTEGER NOT NULL REFERENCES sessions (key),
      seq INTEGER NOT NULL,
      version INTEGER NOT NULL,
      id TEXT NOT NULL,
      role TEXT NOT NULL,
      at INTEGER NOT NULL,
      recorded_at INTEGER NOT NULL,
      tokens INTEGER NOT NULL,
      counter TEXT NOT NULL,
      salt BLOB NOT NULL,
      digest BLOB NOT NULL,
      chain BLOB NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (session, seq)
    ) WITHOUT ROWID;
CREATE UNIQUE INDEX messages_by_id ON messages (session, id);
CREATE INDEX messages_system ON messages (session, seq) WHERE role = 'system';
CREATE TABLE amendments (
      session INTEGER NOT NULL REFERENCES sessions (key),
      version INTEGER NOT NULL,
      kind TEXT NOT NULL,
      seq INTEGER NOT NULL,
      recorded_at INTEGER NOT NULL,
      tokens INTEGER NOT NULL,
      counter TEXT NOT NULL,
      salt BLOB NOT NULL,
      digest BLOB NOT NULL,
      chain BLOB NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (session, version)
    ) WITHOUT ROWID;
CREATE INDEX amendments_by_seq ON amendments (session, seq);
CREATE INDEX amendments_clear ON amendments (session, seq)
      WHERE kind NOT IN ('revise', 'remove', 'compact', 'undo');
CREATE INDEX amendments_window ON amendments (session, version) WHERE kind IN ('compact', 'undo');
CREATE TABLE tool_links (
      session INTEGER NOT NULL REFERENCES sessions (key),
      call_id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      kind TEXT NOT NULL,
      PRIMARY KEY (session, call_id, seq, kind)
    ) WITHOUT ROWID;
CREATE TABLE operations (
      session INTEGER NOT NULL REFERENCES sessions (key),
      id TEXT NOT NULL,
      request BLOB NOT NULL,
      seqs TEXT NOT NULL, row_digest BLOB,
      PRIMARY KEY (session, id)
    ) WITHOUT ROWID;
CREATE TABLE blobs (
      scope TEXT NOT NULL,
      hash TEXT NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (scope, hash)
    );
CREATE TABLE recall_shelves (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      scope TEXT NOT NULL,
      kind INTEGER NOT NULL,
      passages INTEGER NOT NULL,
      words INTEGER NOT NULL,
      UNIQUE (scope, kind)
    );
CREATE TABLE recall_threads (
      thread INTEGER PRIMARY KEY,
      shelf INTEGER NOT NULL,
      version INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      words INTEGER NOT NULL
    , disturbed INTEGER NOT NULL DEFAULT 0, unfinished INTEGER NOT NULL DEFAULT 0);
CREATE INDEX recall_threads_by_shelf ON recall_threads (shelf);
CREATE TABLE recall_terms (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      shelf INTEGER NOT NULL,
      term TEXT NOT NULL,
      passages INTEGER NOT NULL,
      UNIQUE (shelf, term)
    );
CREATE TABLE recall_passages (
      thread INTEGER NOT NULL,
      place INTEGER NOT NULL,
      shelf INTEGER NOT NULL,
      reference TEXT NOT NULL,
      speaker TEXT NOT NULL,
      role INTEGER NOT NULL,
      at INTEGER NOT NULL,
      length INTEGER NOT NULL,
      cues INTEGER NOT NULL,
      terms BLOB NOT NULL,
      PRIMARY KEY (thread, place)
    ) WITHOUT ROWID;
CREATE INDEX recall_passages_by_time ON recall_passages (shelf, at);
CREATE INDEX recall_passages_by_reference ON recall_passages (reference, thread) WHERE reference <> '';
CREATE TABLE recall_posted (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      shelf INTEGER NOT NULL,
      passage TEXT NOT NULL,
      UNIQUE (shelf, passage)
    );
CREATE INDEX recall_posted_in_order ON recall_posted (shelf, number);
CREATE TABLE recall_speakers (
      shelf INTEGER NOT NULL,
      speaker TEXT NOT NULL,
      passages INTEGER NOT NULL,
      PRIMARY KEY (shelf, speaker)
    ) WITHOUT ROWID;
CREATE TABLE knowledge_versions (
      root TEXT NOT NULL,
      version INTEGER NOT NULL,
      scope TEXT NOT NULL,
      at INTEGER NOT NULL, row_digest BLOB, nth INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (root, version)
    ) WITHOUT ROWID;
CREATE INDEX knowledge_versions_by_time ON knowledge_versions (root, at, version);
CREATE TABLE facts (
      scope TEXT NOT NULL,
      id TEXT NOT NULL,
      revision INTEGER NOT NULL,
      until INTEGER NOT NULL,
      recorded_at INTEGER NOT NULL,
      subject TEXT NOT NULL,
      predicate TEXT NOT NULL,
      object_key TEXT NOT NULL,
      object_entity TEXT,
      valid_from INTEGER NOT NULL,
      valid_to INTEGER NOT NULL,
      standing TEXT NOT NULL,
      trust INTEGER NOT NULL,
      learned_at INTEGER NOT NULL,
      applied INTEGER NOT NULL,
      body TEXT NOT NULL, row_digest BLOB,
      PRIMARY KEY (scope, id, revision)
    );
CREATE INDEX facts_by_subject ON facts (scope, subject, id);
CREATE INDEX facts_by_entity ON facts (scope, object_entity, id) WHERE object_entity IS NOT NULL;
CREATE INDEX facts_by_predicate ON facts (scope, predicate, id);
CREATE INDEX facts_by_object ON facts (scope, object_key, id);
CREATE INDEX facts_by_revision ON facts (scope, revision, id);
CREATE INDEX facts_now_slot ON facts (scope, subject, predicate, object_key, valid_to) WHERE until = 9000000000000000;
CREATE INDEX facts_now ON facts (scope, id) WHERE until = 9000000000000000;
CREATE TABLE fact_sources (
      scope TEXT NOT NULL,
      fact TEXT NOT NULL,
      evidence TEXT NOT NULL,
      source TEXT NOT NULL,
      revision INTEGER NOT NULL,
      until INTEGER NOT NULL,
      trust INTEGER NOT NULL,
      body TEXT NOT NULL, row_digest BLOB,
      PRIMARY KEY (scope, fact, revision, evidence, source)
    ) WITHOUT ROWID;
CREATE INDEX fact_sources_below ON fact_sources (source, scope);
CREATE INDEX facts_disputed ON facts (predicate, scope) WHERE standing = 'disputed';
CREATE INDEX fact_sources_taught ON fact_sources (scope, source, fact) WHERE until = 9000000000000000;
CREATE TABLE facts_forgotten (
      scope TEXT NOT NULL,
      version INTEGER NOT NULL,
      fact TEXT NOT NULL, row_digest BLOB,
      PRIMARY KEY (scope, version, fact)
    ) WITHOUT ROWID;
CREATE TABLE entities (
      scope TEXT NOT NULL,
      key TEXT NOT NULL,
      revision INTEGER NOT NULL,
      until INTEGER NOT NULL,
      body TEXT NOT NULL, row_digest BLOB,
      PRIMARY KEY (scope, key, revision)
    ) WITHOUT ROWID;
CREATE TABLE entity_names (
      scope TEXT NOT NULL,
      name TEXT NOT NULL,
      revision INTEGER NOT NULL,
      until INTEGER NOT NULL,
      entity TEXT NOT NULL, row_digest BLOB,
      PRIMARY KEY (scope, name, revision)
    ) WITHOUT ROWID;
CREATE INDEX entity_names_by_entity ON entity_names (scope, entity, until);
CREATE TABLE predicates (
      scope TEXT NOT NULL,
      name TEXT NOT NULL,
      single INTEGER NOT NULL, row_digest BLOB,
      PRIMARY KEY (scope, name)
    ) WITHOUT ROWID;
CREATE TABLE proposals (
      scope TEXT NOT NULL,
      id TEXT NOT NULL,
      kind TEXT NOT NULL,
      status TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      body TEXT NOT NULL, row_digest BLOB,
      PRIMARY KEY (scope, id)
    ) WITHOUT ROWID;
CREATE TABLE proposal_parts (
      scope TEXT NOT NULL,
      part TEXT NOT NULL,
      proposal TEXT NOT NULL, row_digest BLOB,
      PRIMARY KEY (scope, part, proposal)
    ) WITHOUT ROWID;
CREATE INDEX proposal_parts_by_proposal ON proposal_parts (scope, proposal);
CREATE TABLE jobs (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      scope TEXT NOT NULL,
      subject TEXT NOT NULL,
      mark INTEGER NOT NULL,
      payload TEXT NOT NULL,
      state TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      owner TEXT,
      error TEXT,
      result TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    );
CREATE UNIQUE INDEX jobs_live_subject ON jobs (kind, scope, subject) WHERE state IN ('waiting', 'running');
CREATE INDEX jobs_live ON jobs (kind, due_at) WHERE state IN ('waiting', 'running');
CREATE INDEX jobs_by_subject ON jobs (kind, scope, subject, key);
CREATE INDEX jobs_by_state ON jobs (kind, state, key);
CREATE TABLE learn_cursors (
      session INTEGER NOT NULL REFERENCES sessions (key),
      version INTEGER NOT NULL,
      seq INTEGER NOT NULL, row_digest BLOB,
      PRIMARY KEY (session)
    ) WITHOUT ROWID;
CREATE TABLE vector_generations (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      model TEXT NOT NULL,
      dimensions INTEGER NOT NULL,
      rank INTEGER NOT NULL, row_digest BLOB,
      UNIQUE (model, dimensions)
    );
CREATE UNIQUE INDEX vector_generations_by_rank ON vector_generations (rank);
CREATE TABLE vector_sets (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      scope TEXT NOT NULL,
      generation INTEGER NOT NULL REFERENCES vector_generations (key),
      through INTEGER NOT NULL,
      last INTEGER NOT NULL,
      removals INTEGER NOT NULL,
      complete INTEGER NOT NULL, row_digest BLOB,
      UNIQUE (scope, generation)
    );
CREATE TABLE vectors (
      vector_set INTEGER NOT NULL REFERENCES vector_sets (key),
      number INTEGER NOT NULL,
      passage TEXT NOT NULL,
      bytes BLOB NOT NULL
    , row_digest BLOB);
CREATE UNIQUE INDEX vectors_by_number ON vectors (vector_set, number);
CREATE UNIQUE INDEX vectors_by_passage ON vectors (vector_set, passage);
CREATE TABLE access_keys (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      scope TEXT,
      can TEXT NOT NULL,
      hash BLOB NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER,
      revoked_at INTEGER,
      last_used_at INTEGER
    , row_digest BLOB) WITHOUT ROWID;
CREATE TABLE audit (
      number INTEGER NOT NULL PRIMARY KEY,
      at INTEGER NOT NULL,
      key_id TEXT,
      action TEXT NOT NULL,
      scope TEXT,
      status INTEGER NOT NULL,
      ids TEXT NOT NULL,
      digest TEXT,
      chain TEXT NOT NULL
    );
CREATE TABLE answers (
      name TEXT NOT NULL PRIMARY KEY,
      request TEXT NOT NULL,
      status INTEGER NOT NULL,
      body TEXT NOT NULL,
      at INTEGER NOT NULL
    , row_digest BLOB) WITHOUT ROWID;
CREATE INDEX answers_by_age ON answers (at);
CREATE TABLE state_heads (
      scope TEXT NOT NULL,
      session TEXT NOT NULL,
      version INTEGER NOT NULL,
      at INTEGER NOT NULL, row_digest BLOB,
      PRIMARY KEY (scope, session)
    ) WITHOUT ROWID;
CREATE TABLE state_entries (
      scope TEXT NOT NULL,
      session TEXT NOT NULL,
      section TEXT NOT NULL,
      key TEXT NOT NULL,
      version INTEGER NOT NULL,
      until_version INTEGER,
      at INTEGER NOT NULL,
      value TEXT, row_digest BLOB,
      PRIMARY KEY (scope, session, section, key, version)
    ) WITHOUT ROWID;
CREATE UNIQUE INDEX state_entries_current ON state_entries (scope, session, section, key)
      WHERE until_version IS NULL;
CREATE INDEX state_entries_by_time ON state_entries (scope, session, at, version);
CREATE TABLE tool_counts (
      scope TEXT NOT NULL,
      session TEXT NOT NULL,
      log INTEGER NOT NULL,
      through INTEGER NOT NULL,
      counts TEXT NOT NULL, row_digest BLOB,
      PRIMARY KEY (scope, session)
    ) WITHOUT ROWID;
CREATE TABLE forgotten_names (
      scope TEXT NOT NULL,
      name TEXT NOT NULL, row_digest BLOB,
      PRIMARY KEY (scope, name)
    ) WITHOUT ROWID;
CREATE TABLE forgotten_sessions (
      session INTEGER PRIMARY KEY,
      scope TEXT NOT NULL,
      last_seq INTEGER NOT NULL,
      head BLOB NOT NULL,
      at INTEGER NOT NULL,
      reason TEXT NOT NULL
    , row_digest BLOB);
CREATE TABLE erasures (
      id TEXT NOT NULL PRIMARY KEY,
      scope TEXT NOT NULL,
      stage TEXT NOT NULL,
      body TEXT NOT NULL,
      at INTEGER NOT NULL
    , row_digest BLOB) WITHOUT ROWID;
CREATE TABLE retention (
      scope TEXT NOT NULL PRIMARY KEY,
      policy TEXT NOT NULL,
      at INTEGER NOT NULL
    , row_digest BLOB) WITHOUT ROWID;
CREATE INDEX jobs_by_scope ON jobs (scope, subject);
CREATE INDEX sessions_by_parent ON sessions (parent_key) WHERE parent_key IS NOT NULL;
CREATE TABLE calibrations (
      scope TEXT NOT NULL,
      model TEXT NOT NULL,
      tokenizer TEXT NOT NULL,
      value TEXT NOT NULL, row_digest BLOB,
      PRIMARY KEY (scope, model, tokenizer)
    );
CREATE INDEX operations_without_digest ON operations (row_digest) WHERE row_digest IS NULL;
CREATE INDEX knowledge_versions_without_digest ON knowledge_versions (row_digest) WHERE row_digest IS NULL;
CREATE INDEX facts_without_digest ON facts (row_digest) WHERE row_digest IS NULL;
CREATE INDEX fact_sources_without_digest ON fact_sources (row_digest) WHERE row_digest IS NULL;
CREATE INDEX facts_forgotten_without_digest ON facts_forgotten (row_digest) WHERE row_digest IS NULL;
CREATE INDEX entities_without_digest ON entities (row_digest) WHERE row_digest IS NULL;
CREATE INDEX entity_names_without_digest ON entity_names (row_digest) WHERE row_digest IS NULL;
CREATE INDEX predicates_without_digest ON predicates (row_digest) WHERE row_digest IS NULL;
CREATE INDEX proposals_without_digest ON proposals (row_digest) WHERE row_digest IS NULL;
CREATE INDEX proposal_parts_without_digest ON proposal_parts (row_digest) WHERE row_digest IS NULL;
CREATE INDEX calibrations_without_digest ON calibrations (row_digest) WHERE row_digest IS NULL;
CREATE INDEX state_heads_without_digest ON state_heads (row_digest) WHERE row_digest IS NULL;
CREATE INDEX state_entries_without_digest ON state_entries (row_digest) WHERE row_digest IS NULL;
CREATE INDEX learn_cursors_without_digest ON learn_cursors (row_digest) WHERE row_digest IS NULL;
CREATE INDEX retention_without_digest ON retention (row_digest) WHERE row_digest IS NULL;
CREATE INDEX forgotten_names_without_digest ON forgotten_names (row_digest) WHERE row_digest IS NULL;
CREATE INDEX forgotten_sessions_without_digest ON forgotten_sessions (row_digest) WHERE row_digest IS NULL;
CREATE INDEX erasures_without_digest ON erasures (row_digest) WHERE row_digest IS NULL;
CREATE INDEX access_keys_without_digest ON access_keys (row_digest) WHERE row_digest IS NULL;
CREATE INDEX answers_without_digest ON answers (row_digest) WHERE row_digest IS NULL;
CREATE INDEX tool_counts_without_digest ON tool_counts (row_digest) WHERE row_digest IS NULL;
CREATE INDEX vector_generations_without_digest ON vector_generations (row_digest) WHERE row_digest IS NULL;
CREATE INDEX vector_sets_without_digest ON vector_sets (row_digest) WHERE row_digest IS NULL;
CREATE INDEX vectors_without_digest ON vectors (row_digest) WHERE row_digest IS NULL;
CREATE TABLE kept_contexts (
      scope TEXT NOT NULL,
      session TEXT NOT NULL,
      id TEXT NOT NULL,
      at INTEGER NOT NULL,
      version INTEGER NOT NULL,
      borrowed INTEGER NOT NULL,
      head TEXT NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (scope, session, id)
    ) WITHOUT ROWID;
CREATE INDEX kept_contexts_by_time ON kept_contexts (at);
CREATE INDEX kept_contexts_borrowed ON kept_contexts (scope) WHERE borrowed = 1;
CREATE TABLE kept_texts (
      scope TEXT NOT NULL,
      session TEXT NOT NULL,
      hash TEXT NOT NULL,
      at INTEGER NOT NULL,
      borrowed INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (scope, session, hash)
    ) WITHOUT ROWID;
CREATE INDEX kept_texts_by_time ON kept_texts (at);
CREATE INDEX kept_texts_borrowed ON kept_texts (scope) WHERE borrowed = 1;
CREATE TABLE recall_segments (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      shelf INTEGER NOT NULL,
      postings INTEGER NOT NULL,
      target INTEGER NOT NULL
    );
CREATE INDEX recall_segments_by_shelf ON recall_segments (shelf);
CREATE TABLE recall_postings (
      segment INTEGER NOT NULL,
      term INTEGER NOT NULL,
      part INTEGER NOT NULL,
      highest INTEGER NOT NULL,
      lowest INTEGER NOT NULL,
      hits BLOB NOT NULL,
      PRIMARY KEY (segment, term, part)
    ) WITHOUT ROWID;
CREATE INDEX knowledge_versions_by_scope ON knowledge_versions (scope, version, nth);
CREATE INDEX forgotten_sessions_by_scope ON forgotten_sessions (scope);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (1, 'log', '92c905a8031b4aa5ffc19f01793aad615a9f373ae3418fa27facde6bffa23502', 1767225600000);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (2, 'recall', '60a4b19d225c52ef1a38afc5b11e858aea8548f6472d57deda05815c4184c1ea', 1767225600000);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (3, 'knowledge', '3b1253b98f6b155161e64f2996587e26902c921cb84049633b568ae55aceaaf7', 1767225600000);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (4, 'jobs', '1c8444be204fc20e931798eca829f208c372b5cae969e1fdac6e522e32c3c16a', 1767225600000);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (5, 'vectors', '9458b2526e63ea9eee800d7fbc25b3e7ad74da617514d636cd6a4bf135797b2a', 1767225600000);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (6, 'access', '96ccf60bddb4ec1d89d54cf815b4446ec9ce8d73ee1e4aca84c7d37a54a28a00', 1767225600000);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (7, 'state', 'a3de14b9ace0566edb28f10d062aee24a3d109d852743b6abe74cdcfbad2da35', 1767225600000);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (8, 'forgetting', '0bf1e69b18873d1013c825d78e2e5c63fd525a0308763524740083dd99aae2b4', 1767225600000);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (9, 'calibrations-by-scope', 'd440fba5fbee59f1df7d1abab1761d4d80a9ece5573455d97724675d249eed8e', 1767225600000);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (10, 'row-digests', '2a2a32950d7f58b11866e19175e9eac3b970e717bf80b5f32a30b60bd001893f', 1767225600000);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (11, 'kept-contexts', 'e0b6fb4ed00b9f87af2f5b624b6bae0b402bb7a68fc73024e83f9c698a32e51d', 1767225600000);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (12, 'unfinished-posting', '9db20ce691b44ababe8a35699f418adf638a1d712c4e7084334f473978f2b2e1', 1767225600000);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (13, 'versions-by-scope', '9eb67d63fe7970c402041515149badf61402b642b551b1cbedab011a80a73c79', 1767225600000);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (14, 'segments', 'ae24bbd5682abac36767553af0430fd687d96cdf425f8c8271f41f4fa16f53aa', 1767225600000);
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (15, 'numbered-changes', 'd91ed800c4c872491207cc37481b176ef99d8d967e7bce5e434f4cecfc320f8a', 1767225600000);
INSERT INTO sessions (key, scope, name, description, created_at, updated_at, last_seq, version, genesis, head, parent_key, parent_seq, parent_version, parent_link) VALUES (1, 'acme/ada', 'golden', '"You are terse."', 1767225600000, 1767225600000, 6, 8, X'4DD2F97D6E5053ADD5D36B0198F6A5552BAEE33DE19273117BA45766DC972707', X'5A7418F20CF956134C0F01B78F6203D8158E8A6EACF12EBD4306E3FE3BD14755', NULL, NULL, NULL, NULL);
INSERT INTO sessions (key, scope, name, description, created_at, updated_at, last_seq, version, genesis, head, parent_key, parent_seq, parent_version, parent_link) VALUES (2, 'acme/ada', 'branch', '"You are terse."', 1767225600000, 1767225600000, 5, 11, X'E18AA3573461D18E1115C450A222390FED6DA187409557228F03E18B12113619', X'E39C618506DCECEA599A60E43EEF2763AA84A664C9A0EB1D2A69D5C82C47BF6E', 1, 3, 8, X'5A7418F20CF956134C0F01B78F6203D8158E8A6EACF12EBD4306E3FE3BD14755');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 1, 1, '019b76da-a800-729c-a72c-91b3e3923a23', 'system', 1767225600000, 1767225600000, 8, 'estimate-1', X'7C7C1AFCDC4EF4754D302DE605B6F017', X'F1977D1A931FB413E923A0B25803ABFAD599944BEE11AE44D23B59EE63F5FCA3', X'384108ABA61E105187B242A8B832388AFBDE352629A945E58117D598C1AA3647', '{"parts":[{"type":"text","text":"You are terse."}]}');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 2, 2, 'question', 'user', 1767225600000, 1767225600000, 16, 'estimate-1', X'B78CBE010892DB03CF86979496E84FD8', X'7C34CF494D35126390D020CF2B42D44522910932CA85F33D0BE7B6DE93236B7A', X'E519DF3D736EEFB0BECE6A4DC12A9E0705A6223601785E6AB58FDB1D60C1E7A2', '{"parts":[{"type":"text","text":"What is the weather in Malmö? 🌦"}],"tags":["weather"],"metadata":{"important":true}}');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 3, 3, 'call', 'assistant', 1767225600000, 1767225600000, 25, 'estimate-1', X'B8567D1E704A1AC90A78F69324AD1413', X'D889D15E994E1821BE7E633A436B2E58995855BF770E3C3131C6368D40A9EB77', X'FB29C59CB31C3DA6EF3C3B42A68B416F37984ACD8B1D58CE8B8BCD82EDCA05DF', '{"parts":[{"type":"tool-call","id":"call-1","name":"weather","arguments":"{\"city\":\"Malmö\"}"}]}');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 4, 4, 'result', 'tool', 1767225600000, 1767225600000, 15, 'estimate-1', X'400D72B99909FD85FD6B3D2F0C37470B', X'7903272BEAA7656BFD36ACADBF38AF629707C2985870EADDA2BB4422D9242F05', X'9D81CFBA9B55A8C081E72FAE431984073FB792E75FAA49B7177930973EBB1D18', '{"parts":[{"type":"tool-result","callId":"call-1","output":{"type":"text","text":"rain"}}]}');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 5, 5, 'answer', 'assistant', 1767225600000, 1767225600000, 6, 'estimate-1', X'9B11AB13DA0A28F47655015B8C6C73AB', X'EBAE170D668C86147496E3821DF13B69C2FE8B5A289CC88D769FE6F7D773A97D', X'4455E7DFEFD1956870A6AFF2F788CFA035FACECA182EAE9709E2BA70D0D67BE9', '{"parts":[{"type":"text","text":"Rain."}]}');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 6, 6, 'image', 'user', 1767225600000, 1767225600000, 6199, 'estimate-1', X'7240A3FAC2A44BE2753C80CE56AFA087', X'1F36E5E55CF83E44DC9D56334DAA44D6FE5F8E65F60C4F36DCF6CD112214BFEE', X'5D6CF73A49E5B22FBA09B45E6CF10E9A1E02F4D09A430958AEC075EE3CF1E496', '{"parts":[{"type":"text","text":"And this?"},{"type":"image","source":{"type":"blob","hash":"6ec9c2b0eb14010746c8bce8939303b382344b296206612eb8a907a37b2b2f37","bytes":6},"mediaType":"application/octet-stream"}]}');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (2, 4, 9, 'branched', 'user', 1767225600000, 1767225600000, 7, 'estimate-1', X'6206AFD7A4ECA57A35F196F254BBD83B', X'F9CBBF2F68C8DCDAEA31009B62CC99692ED49B55589284BD88A4CA153462D713', X'C44923A34BF1CD322AE8D2B80931794169A4B7AB16944A807D0B7E0821EE1E6F', '{"parts":[{"type":"text","text":"Never mind."}]}');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (2, 5, 11, 'last', 'user', 1767225600000, 1767225600000, 7, 'estimate-1', X'42D5AD6D98807A7B4B20F56289819B32', X'D6A8A17DE4D2EA177869534909C20532272A17FC5AA4CD5EA33068CC92042A33', X'E39C618506DCECEA599A60E43EEF2763AA84A664C9A0EB1D2A69D5C82C47BF6E', '{"parts":[{"type":"text","text":"Hello again."}]}');
INSERT INTO amendments (session, version, kind, seq, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 7, 'revise', 5, 1767225600000, 9, 'estimate-1', X'209A7E1A102B6625F7D6CB05E7F7B056', X'BEE83B1339CA7F804E7C3427AA48DCECFBAFC6E89DB90053DE01FBB95C056170', X'910759CDDABBA2DCD3235ED0C869358CB1B7743CA6464752C7613CE6665957B5', '{"parts":[{"type":"text","text":"Rain, all day."}]}');
INSERT INTO amendments (session, version, kind, seq, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 8, 'remove', 6, 1767225600000, 0, 'estimate-1', X'041CA1B88C530221FE6DB7339E5B05FC', X'DAC067BD2788BB60295F5334B8A43C45C6C8DE982D61C7C4CDACCC02FAA93B23', X'5A7418F20CF956134C0F01B78F6203D8158E8A6EACF12EBD4306E3FE3BD14755', '');
INSERT INTO amendments (session, version, kind, seq, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (2, 10, 'clear-keeping-system', 4, 1767225600000, 0, 'estimate-1', X'E2E1E50E4A916D165A31251701C35E77', X'FCFA9116DA5EEE4D1091F77EE4D7A4C5A8AAA5FEC853F8879802E809B3781509', X'B8A02A10E4FF19F8603FC32E532DAD826039D220FD134812E642869A8A6C44AC', '');
INSERT INTO tool_links (session, call_id, seq, kind) VALUES (1, '"call-1"', 3, 'call');
INSERT INTO tool_links (session, call_id, seq, kind) VALUES (1, '"call-1"', 4, 'result');
INSERT INTO operations (session, id, request, seqs, row_digest) VALUES (1, 'operation', X'236C0AB5FD762BD235D264EBBC8A60360DB0D1AB96B97753431D06250B341E95', '[6]', X'9721B25054EE2576E8F9D8015B25DEBA');
INSERT INTO blobs (scope, hash, bytes) VALUES ('acme/ada', '6ec9c2b0eb14010746c8bce8939303b382344b296206612eb8a907a37b2b2f37', X'706978656C73');
PRAGMA application_id = 1145204587;
PRAGMA user_version = 15;
