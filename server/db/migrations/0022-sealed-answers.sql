-- Sealed answers: what a repeated request is answered again may hold a password, so it is kept closed like one.

alter table idempotency_keys drop column answer;
alter table idempotency_keys add column sealed_answer bytea;
