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
CREATE INDEX amendments_clear ON amendments (session, seq) WHERE kind IN ('clear', 'clear-keeping-system');
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
      seqs TEXT NOT NULL,
      PRIMARY KEY (session, id)
    ) WITHOUT ROWID;
CREATE TABLE blobs (
      scope TEXT NOT NULL,
      hash TEXT NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (scope, hash)
    );
CREATE TABLE calibrations (
      model TEXT NOT NULL,
      tokenizer TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (model, tokenizer)
    );
INSERT INTO migrations (number, name, checksum, applied_at) VALUES (1, 'log', '9e4866464fb5b37cb84e249f5f32d09a91a59628e1bb3df85e7bbcdff5856559', 1767225600000);
INSERT INTO sessions (key, scope, name, description, created_at, updated_at, last_seq, version, genesis, head, parent_key, parent_seq, parent_version, parent_link) VALUES (1, 'acme/ada', 'golden', '"You are terse."', 1767225600000, 1767225600000, 6, 8, X'4DD2F97D6E5053ADD5D36B0198F6A5552BAEE33DE19273117BA45766DC972707', X'C174C4E4FF6F3F5ADEA0A1DE43E801B36A55D632807AB3B8578634DC3DE105A9', NULL, NULL, NULL, NULL);
INSERT INTO sessions (key, scope, name, description, created_at, updated_at, last_seq, version, genesis, head, parent_key, parent_seq, parent_version, parent_link) VALUES (2, 'acme/ada', 'branch', '"You are terse."', 1767225600000, 1767225600000, 5, 11, X'A4D8F6D9DBA741C0915F2AB446ACBF214265DC35B2F9A2FA1FAB88E9D1CA160D', X'46CF06C13E2B4B1ECB7633490D2B2362FD73E52942C420E40598DFE0D841769F', 1, 3, 8, X'C174C4E4FF6F3F5ADEA0A1DE43E801B36A55D632807AB3B8578634DC3DE105A9');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 1, 1, '019b76da-a800-731c-8780-00a9a051ed26', 'system', 1767225600000, 1767225600000, 8, 'estimate-1', X'B040AFFBB312B846D24BD763B9B9EBB1', X'0F78E7D9590447490FE73F22CFF431910FA4E41A4755586065E25D1B156AD67E', X'572651F384DFB2DDEA6C24035E57AE3997AAEAADA999AC317907D21767DE3A89', '{"parts":[{"type":"text","text":"You are terse."}]}');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 2, 2, 'question', 'user', 1767225600000, 1767225600000, 16, 'estimate-1', X'89BA43852874973DBCEF7BF2C539CC1A', X'847C8596DDB8BA288109E68D65580284149289EC703471F84E3CA8321724D8B3', X'44449FF5BF39C65363E3B191350D4F89BA2B5F21F123396CA0E4984602CA4DFC', '{"parts":[{"type":"text","text":"What is the weather in Malmö? 🌦"}],"tags":["weather"],"metadata":{"important":true}}');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 3, 3, 'call', 'assistant', 1767225600000, 1767225600000, 25, 'estimate-1', X'B7A8F9350BCAF8819FBA807B4D39D494', X'45D6BD647C6556C5F6B4DE3D583412741039792D99A1B50542701697C78A59B0', X'E182E9B95610D1B5CEC679AE5A777F1A413CC7FC4D1060A8FD13655E52C8B17E', '{"parts":[{"type":"tool-call","id":"call-1","name":"weather","arguments":"{\"city\":\"Malmö\"}"}]}');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 4, 4, 'result', 'tool', 1767225600000, 1767225600000, 15, 'estimate-1', X'C0D2F9C420DDD4980D9D5472AF3C061E', X'8B06B131EFD5E354FEEBC66A6AAC2806A141A10D167853EACCD7946C343F4C1C', X'88364191967430F8FBF45A2CE1FF52D688669997E0F7DD92E5422C9496957379', '{"parts":[{"type":"tool-result","callId":"call-1","output":{"type":"text","text":"rain"}}]}');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 5, 5, 'answer', 'assistant', 1767225600000, 1767225600000, 6, 'estimate-1', X'41C6A2D053AD709E2CB650FDBF87CFE7', X'D5BB19AA7745991EBB7B1D011B1B82091A7610CA7385FC31A7A9C426B0B13E93', X'6DDE500FEAD8729F9B2BD4A0C17F516C97D1A834A3274A3A031D13BDF377A932', '{"parts":[{"type":"text","text":"Rain."}]}');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 6, 6, 'image', 'user', 1767225600000, 1767225600000, 6199, 'estimate-1', X'432628D0BDA60F1123EB399E967EEF5C', X'9B330CE2661B39DBF380800E32A182F1C34B25A3E12118CEA30B2D2AED22B214', X'2717E0342B8DE86A536B6BC65AB3ADA368AED275F40BB50E0DDAAFB0279C238C', '{"parts":[{"type":"text","text":"And this?"},{"type":"image","source":{"type":"blob","hash":"6ec9c2b0eb14010746c8bce8939303b382344b296206612eb8a907a37b2b2f37","bytes":6},"mediaType":"application/octet-stream"}]}');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (2, 4, 9, 'branched', 'user', 1767225600000, 1767225600000, 7, 'estimate-1', X'0FD00CC1BB7E4D9798154B415AF5FFF8', X'87F55959C06E2660AE101AE76E2FF42888056C955660AE0D382801EC9479B1C5', X'F2E0F37B615748ECCB646B5BC1D14F531F03D00505FC933E80BF56AB3887D55B', '{"parts":[{"type":"text","text":"Never mind."}]}');
INSERT INTO messages (session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (2, 5, 11, 'last', 'user', 1767225600000, 1767225600000, 7, 'estimate-1', X'24F68C18A8E1AEF3E4614857D667B163', X'566E725E21F1F81A75C44E914D9F536A3073635C5FC35AFA1D2A7AEDBFD8A547', X'46CF06C13E2B4B1ECB7633490D2B2362FD73E52942C420E40598DFE0D841769F', '{"parts":[{"type":"text","text":"Hello again."}]}');
INSERT INTO amendments (session, version, kind, seq, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 7, 'revise', 5, 1767225600000, 9, 'estimate-1', X'FB8122D601BEBE03271F16FB246EBD16', X'5DAC18EA35CBABEA4390B0F61297FE8297782D3834877C1781D159E15FD5BB0B', X'E1DA93798133394FE92996429B2D4039B81D292FE23A9ADCE09CFAD5E11352BC', '{"parts":[{"type":"text","text":"Rain, all day."}]}');
INSERT INTO amendments (session, version, kind, seq, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (1, 8, 'remove', 6, 1767225600000, 0, 'estimate-1', X'9C5687289C35836B515B5CC2F199FB17', X'0A877B0094BE62CD3B4EA0511124D8200CA60399390018DDE369986A891796A5', X'C174C4E4FF6F3F5ADEA0A1DE43E801B36A55D632807AB3B8578634DC3DE105A9', '');
INSERT INTO amendments (session, version, kind, seq, recorded_at, tokens, counter, salt, digest, chain, body) VALUES (2, 10, 'clear-keeping-system', 4, 1767225600000, 0, 'estimate-1', X'6C16DCBD14CF3475EE535E38CD6EA6CA', X'36782A60AB4A9F95F853694AF2B3A0388A8A41DFE64CF5A90BAEFC9FA9053CF0', X'6F8B179C8856F8064B9285A8E0F8AA74E7BAFC96209D11EFD0D914C5D2EE2B9E', '');
INSERT INTO tool_links (session, call_id, seq, kind) VALUES (1, '"call-1"', 3, 'call');
INSERT INTO tool_links (session, call_id, seq, kind) VALUES (1, '"call-1"', 4, 'result');
INSERT INTO operations (session, id, request, seqs) VALUES (1, 'operation', X'236C0AB5FD762BD235D264EBBC8A60360DB0D1AB96B97753431D06250B341E95', '[6]');
INSERT INTO blobs (scope, hash, bytes) VALUES ('acme/ada', '6ec9c2b0eb14010746c8bce8939303b382344b296206612eb8a907a37b2b2f37', X'706978656C73');
PRAGMA application_id = 1145204587;
PRAGMA user_version = 1;
