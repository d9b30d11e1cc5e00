-- What guests' pages are drawn from: design, name of property and network, footer. Of an active portal of an active customer; custom
-- portals have an address of their own. Asked for each page.

CREATE OR REPLACE FUNCTION public.door_portal(asked text)
 RETURNS TABLE(portal_type_id integer, custom_portal_url text, page text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select p.portal_type_id, p.custom_portal_url, json_build_object(
      'design', json_build_object(
        'company_name', p.company_name, 'portal_layout_id', p.portal_layout_id, 'portal_font_id', p.portal_font_id,
        'auth_method_ids', p.auth_method_ids, 'portal_footer', p.portal_footer, 'redirect_url', p.redirect_url,
        'headline', p.headline, 'headlines', p.headlines, 'headline_text_colour', p.headline_text_colour,
        'background_colour', p.background_colour, 'button_fill_colour', p.button_fill_colour,
        'button_text_colour', p.button_text_colour, 'body_text_colour', p.body_text_colour,
        'input_outline_colour', p.input_outline_colour, 'form_container_colour', p.form_container_colour,
        'form_field_colour', p.form_field_colour, 'logo', logo.picture, 'logo_preview_url', logo.address,
        'portal_image', side.picture, 'side_image_preview_url', side.address, 'terms', p.terms,
        'terms_version', p.terms_version, 'privacy_url', p.privacy_url, 'marketing_text', p.marketing_text),
      'property_name', place.name, 'network_name', place.network_name, 'footer', footer.shown)::text
  from portals p
  join customers c on c.id = p.customer_id and c.active and c.deleted_at is null
  left join lateral (
    select json_build_object('name', f.name, 'width', coalesce(f.width, 0), 'height', coalesce(f.height, 0)) as picture,
      '/pictures/' || f.public_id as address
    from files f where f.customer_id = p.customer_id and f.id = p.logo_file_id) logo on true
  left join lateral (
    select json_build_object('name', f.name, 'width', coalesce(f.width, 0), 'height', coalesce(f.height, 0)) as picture,
      '/pictures/' || f.public_id as address
    from files f where f.customer_id = p.customer_id and f.id = p.portal_image_file_id) side on true
  cross join lateral (
    -- A portal of a thousand properties must not be slower than one of two.
    select case when count(*) = 1 then min(r.name) end as name,
      case when count(distinct r.network_name) = 1 and count(r.network_name) = count(*) then min(r.network_name) end
        as network_name
    from (select r.name, r.network_name from properties_of_portal(p.customer_id, p.id) r
      where r.status = 'active' order by r.id limit 50) r) place
  left join lateral (
    select json_build_object('image_url', '/pictures/' || f.public_id, 'width', coalesce(f.width, 0),
      'height', coalesce(f.height, 0), 'url', b.url) as shown
    from portal_footers b join files f on f.customer_id = b.customer_id and f.id = b.image_file_id
    where b.customer_id = p.customer_id and b.active and b.deleted_at is null order by b.id limit 1) footer on true
  where p.public_id = asked and p.deleted_at is null and p.status = 'active'
$function$;
