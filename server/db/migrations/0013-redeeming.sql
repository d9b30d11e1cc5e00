-- Redeeming: two counters, so that a list of batches costs the same whether a batch has ten codes or 100,000.

-- How many of its vouchers were used at least once; counted up with each first use.
alter table voucher_batches add redeemed integer not null default 0 check (redeemed between 0 and quantity);

-- How many batches a customer ever made: the running part of `batch_number`. Counting up holds the customer's row until
-- the batch stands, so that two made at once never share a number and none is skipped.
alter table customers add voucher_batches_made integer not null default 0 check (voucher_batches_made >= 0);
