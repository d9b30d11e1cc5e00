-- Desk contact: whom a front desk calls when the network does not work, as the company writes it down.
alter table customers add column desk_contact text;
