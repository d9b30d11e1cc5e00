-- Codes taken back: a single code that lets nobody in until it is given again.

alter table vouchers add column taken_back_at timestamptz;
