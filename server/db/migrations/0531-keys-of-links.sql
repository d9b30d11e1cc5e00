-- Keys of links: which key of an interface was tried at the other side, and which has been taken there, by their hashes. A wrong one locks
-- the interface over there, so it is tried once.

alter table property_links
  add column key_tried text,
  add column key_taken text;
