-- names_guests: the file has a column that says who each guest was, which only editors take away. What was made before may have.
alter table report_runs add column names_guests boolean not null default false;
update report_runs set names_guests = true where file_id is not null;
