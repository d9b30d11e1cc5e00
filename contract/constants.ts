// Constants: every number of the specification's section 9, and the limits of DECISIONS that both sides keep.

export const constants = {
  notification_ms: 3000,
  chunk_reload_guard_ms: 60_000,
  search: { debounce_ms: 500, fuzzy_threshold: 0.1, match_length_min: 3 },
  names_shown_max: 2,
  voucher_code_length_min: 5,
  import: {
    file_bytes_max: 5_120_000,
    files_max: 1,
    types: ['.csv', '.xls', '.xlsx'],
    portal_type: '.zip',
    /** How long an import can be undone. */
    undo_hours: 24,
  },
  picture: {
    types: ['.jpg', '.jpeg', '.png'],
    file_bytes_max: 5_120_000,
    /** Width times height, as stored in the file. */
    pixels_max: 25_000_000,
  },
  /** How far from today a stay's days may be, and those of a lease, back and ahead. */
  stay: { years_back: 2, years_ahead: 3, lease_years: 50 },
  /** The types of properties that are let by leases: serviced apartments, student homes, build-to-rent, care homes, offices. */
  leased_property_types: [2, 4, 5, 8, 10],
  account_types: { regular: 1, conference: 2 },
  csv_sentinel: -1,
  defaults: {
    billable_percentage: 100,
    report_format: 'xls',
    report_view: 'all_sessions',
    portal_colours: {
      headline_text_colour: '#1A1A1A',
      background_colour: '#FFFFFF',
      button_fill_colour: '#2671FF',
      button_text_colour: '#FFFFFF',
      body_text_colour: '#000000',
      input_outline_colour: '#000000',
      form_container_colour: '#FFFFFF',
      form_field_colour: '#FFFFFF',
    },
  },
  prefetch_idle_ms: 2000,
  widths: {
    import_px: 800,
    invite_min_px: 560,
    collection_max_px: 1200,
    portal_preview_px: 800,
    portal_drawer_px: 370,
    portal_drawer_breakpoint_px: 500,
  },
  breakpoints_px: [359, 479, 839, 959, 1048],
  back_to_top_offset_px: 150,
  list: {
    page_rows: 50,
    page_rows_max: 200,
    excluded_ids_max: 5000,
    names_max: 5000,
    /** The largest `total` counted for a page, and the largest when only the total is requested. */
    counted_max: 1000,
    exactly_counted_max: 100_000,
  },
  password_length_min: 12,
  rooms: { created_max: 1000 },
} as const
