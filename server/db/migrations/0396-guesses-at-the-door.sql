-- Guesses at the door: whose secret was tried from a device that is not known at the property.

-- guessed_at: the account, voucher or room ('account 5'). fitted: the secret was right, and the device had to wait.
alter table radius_authorisations add column guessed_at text;
alter table radius_authorisations add column fitted boolean not null default false;
create index radius_authorisations_guessed on radius_authorisations (customer_id, guessed_at, created_at) where guessed_at is not null;

-- Whether a device was ever let in here stands in its passes, where a gateway knows no RADIUS.
create index on access_passes (customer_id, mac_address) where mac_address is not null;
