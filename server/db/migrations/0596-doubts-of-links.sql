-- What is doubted of a link outlives its connection, and what was read otherwise is noticed also by another node.
alter table property_links add column doubt text, add column read_as text;
comment on column property_links.doubt is 'What a person should look into although the link is up, until a whole list is taken in without it.';
comment on column property_links.read_as is 'A hash of the settings by which the system was last read: by others all stays are told anew.';
