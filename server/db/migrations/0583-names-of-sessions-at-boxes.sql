-- Some boxes take requests about a session by a name of their own, which they report beside Acct-Session-Id (Cisco's audit-session-id).
alter table radius_sessions add column box_session text;
