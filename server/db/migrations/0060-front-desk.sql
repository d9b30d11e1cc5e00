-- Front desk: people who serve guests and change nothing else. A role decides; the name keeps a word of section 6 of the
-- specification, by which the bulk buttons go.

alter table user_types drop constraint user_types_role_check;
alter table user_types add check (role in ('viewer', 'editor', 'front_desk'));
insert into user_types (id, name, role) values (3, 'Front desk (viewer)', 'front_desk');
