-- Texts of outages: a person may be told of an outage by a text message, to a number of their own, besides or instead of a mail.

-- mobile_number: in E.164. outage_texts: wants to be told there.
alter table users add column mobile_number text, add column outage_texts boolean not null default false;
