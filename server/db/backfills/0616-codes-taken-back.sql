-- Counts the codes of a batch that were taken back.
-- once
create index concurrently if not exists vouchers_taken_back on vouchers (customer_id, voucher_batch_id) where taken_back_at is not null;
