-- Only the functions that write nights move a ledger on. Locking its row needs the right to update some column; nobody can write this one.
revoke insert, update, delete on night_ledgers from foyer_app;
grant update (id) on night_ledgers to foyer_app;
