// The demo's portals: one for each group, with its own look and texts. The pictures are drawn here, so that they need no licence.

const logo = (name: string, colour: string, mark: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="200" viewBox="0 0 800 200">
    <g transform="translate(20 20)" fill="none" stroke="${colour}" stroke-width="11" stroke-linecap="round">${mark}</g>
    <text x="210" y="128" font-family="DejaVu Sans, sans-serif" font-size="74" font-weight="600" fill="${colour}">${name}</text></svg>`

const anchor = '<circle cx="80" cy="26" r="16"/><path d="M80 42v106M40 66h80M12 96c4 36 36 52 68 52s64-16 68-52"/>'
const leaf = '<path d="M20 140C20 60 70 16 144 16c0 80-44 124-124 124zM20 140 96 64"/>'
const waves = '<path d="M4 62c26-26 50-26 76 0s50 26 76 0M4 112c26-26 50-26 76 0s50 26 76 0"/>'

const beach = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1500" viewBox="0 0 1200 1500">
  <rect width="1200" height="1500" fill="#9FD3E6"/><circle cx="880" cy="330" r="130" fill="#FBE3A6"/>
  <path d="M0 760c200-70 400-70 600 0s400 70 600 0v300H0z" fill="#3E8CA3"/>
  <path d="M0 880c200-60 400-60 600 0s400 60 600 0v300H0z" fill="#2F6E86"/>
  <path d="M0 1060c260-90 560-90 760-20 160 56 300 60 440 20v440H0z" fill="#EBD6A8"/></svg>`

const terms = (company: string) =>
  `By using this Wi-Fi you agree to use it lawfully and with regard for other guests. ${company} may limit or end access ` +
  'that disturbs the service. The network is shared: use sites with https, and keep your devices up to date.'

/** In the order of the operator's groups. Sign-in methods: 1 click-through, 2 voucher, 3 user name, 4 room and name. */
export const portals = [
  {
    name: 'Harbour Hotels',
    slug: 'harbour',
    headline: 'Welcome to the harbour',
    auth_method_ids: [4, 2],
    portal_layout_id: 1,
    portal_font_id: 5,
    drawing: logo('Harbour', '#0B4F6C', anchor),
    headline_text_colour: '#0B2F40',
    background_colour: '#EAF3F6',
    button_fill_colour: '#0B4F6C',
    body_text_colour: '#2B3F49',
    input_outline_colour: '#7799A6',
    terms: terms('Harbour Hotels'),
    marketing_text: 'Send me offers of Harbour Hotels by e-mail, about once a month.',
  },
  {
    name: 'Vale Student Living',
    slug: 'vale',
    headline: 'Hello again',
    auth_method_ids: [3],
    portal_layout_id: 2,
    portal_font_id: 4,
    drawing: logo('Vale', '#2F5233', leaf),
    headline_text_colour: '#1E3521',
    background_colour: '#F2F5EE',
    button_fill_colour: '#2F5233',
    body_text_colour: '#37443A',
    input_outline_colour: '#859985',
    terms: terms('Vale Student Living'),
  },
  {
    name: 'Coast Holiday Parks',
    slug: 'coast',
    headline: 'Sand, sea and Wi-Fi',
    auth_method_ids: [2, 1],
    portal_layout_id: 3,
    portal_font_id: 2,
    drawing: logo('Coast', '#8A3F27', waves),
    picture: beach,
    headline_text_colour: '#5B2716',
    background_colour: '#FFF7EC',
    button_fill_colour: '#8A3F27',
    body_text_colour: '#4A3A33',
    input_outline_colour: '#AB8E7B',
    terms: terms('Coast Holiday Parks'),
  },
] as const

/** Its pages are an imported zip; these texts fill its placeholders. */
export const customPortal = {
  name: 'Harbour conferences',
  auth_method_ids: [7, 1],
  words: {
    company_name: 'Harbour Hotels',
    headline: 'Good to have you at the conference',
    terms: terms('Harbour Hotels'),
    portal_footer: 'Harbour Hotels, by the water since 1908',
  },
} as const
