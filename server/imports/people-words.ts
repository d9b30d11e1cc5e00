// People words: what stands beside names in lists of guests, in several languages: titles, suffixes, words between people.

/** Matches one of these words, separated by spaces, each with or without a period. */
const words = (all: string) =>
  new RegExp(
    `^(?:${all
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll('.', String.raw`\.`))
      .join('|')})\\.?$`,
    'iu',
  )

const titles = words(`
  mr mrs ms miss mx mstr mst mister dr prof professor sir madam rev capt cpt
  herr hr frau fr frl dipl-ing dipl.-ing ing mag
  mme mlle monsieur madame mademoiselle
  sr sra srta señor señora srª d.ª dña doña
  sig sig.ra signor signora dott dott.ssa avv
  dhr mw mevr mevrouw dhr. fru frk rouva herra
  dona exmo exma
  pán pani paní slečna mgr inż
  г-н г-жа господин госпожа пан пані
  κος κα κ δρ bay bayan
  bapak ibu ông bà
  السيد السيدة الآنسة الدكتور الدكتورة الأستاذ د
  מר גב' גברת ד"ר
  श्री श्रीमती सुश्री कुमारी డా திரு திருமதி
  นาย นาง นางสาว คุณ
  chd inf`)
/** Titles that are names, too: only before a whole name. */
const titles_or_names = words('don doña pan m d')
/** The family as a whole, before or behind its name. */
const family = words(`
  family familie fam famille familia famiglia família rodina rodzina perhe család aile ailesi familjen familien
  семья родина οικογένεια عائلة משפחת keluarga`)
const suffixes = words('jr jnr snr ii iii iv phd md mba esq junior senior')
/** Somebody whose name the list does not say. */
const unnamed = words(`
  tba tbc tbd n/a nn n.n unknown unnamed unbekannt inconnu inconnue desconocido sconosciuto onbekend nieznany
  infant child children kid kids baby pax spouse wife husband partner guest guests anonymous`)

/** Between two people wherever it stands. */
const strong = /^(?:&|\+|and|und|et)$/i
/** The same in lists that are not written in capitals, where these words would be initials or names. */
const strong_in_small = /^(?:og|och|en|és|ve|ja|și|si|dan|và|och|и|та|і|και|og|ve|en|или)$/u
/** Between people or within a surname: `Ana y Luis García`, `Costa e Silva`, `Gaudí i Cornet`, `Jan a Eva Novákovi`. */
const weak = /^[yeia]$/u
const of_other_scripts = /^(?:و|ו|और|तथा|และ|及|和|与|與|と|및|와|과)$/u
const czech_or_slovak = /[áčďéěíľĺňóôřŕšťúůýž]/iu

/** Particles that a surname begins with. */
const particles = words(`
  van von de del della di da do dos das der den la le las los lo du des al el bin bint ibn ter ten te 't ’t zu zum zur af av vom`)
export const isParticle = (word: string) => particles.test(word)

export const isTitle = (word: string, words_left: number) =>
  titles.test(word) || (words_left > 1 && titles_or_names.test(word)) || word === 'M.'
export const isFamily = (word: string) => family.test(word)
export const isSuffix = (word: string) => suffixes.test(word)
export const isUnnamed = (text: string) => unnamed.test(text)

/** What a word between names says; null: it is part of one. */
export function joinerOf(word: string, cell: string): 'people' | 'perhaps' | null {
  if (strong.test(word) || of_other_scripts.test(word)) return 'people'
  const capitals = cell === cell.toUpperCase() && cell !== cell.toLowerCase()
  if (capitals) return word === 'Y' ? 'perhaps' : null
  if (strong_in_small.test(word)) return 'people'
  if (word === 'a') return czech_or_slovak.test(cell) ? 'perhaps' : null
  return weak.test(word) ? 'perhaps' : null
}

/** Scripts in which a family name comes first, and in which names may have no spaces. */
export const isFamilyFirst = (text: string) =>
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー々〆ヶ\s]+$/u.test(text)
/** Behind a name of these scripts, without a space. */
export const honorific = /(?<=.)\s*(?:様|さま|さん|氏|先生|女士|小姐|님|씨)$/u
export const couple = /(?<=.)\s*(?:ご夫妻|御夫妻|夫妻|夫婦|夫妇|伉儷|伉俪|부부)(?:様)?$/u
/** Before a Thai name, without a space. */
export const thai_title = /^(?:นางสาว|นาย|นาง|คุณ|น\.ส\.)(?=\p{Script=Thai})/u
