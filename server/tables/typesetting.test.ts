// Typesetting: names in the scripts of the world are drawn as their readers expect, and read back as they were written.
import { execFileSync, spawnSync } from 'node:child_process'
import { GlobalFonts, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { create } from 'fontkit'
import Pdf from 'pdfkit'
import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, test } from 'vitest'
import { cut, loadFor } from './typefaces.ts'
import { openType } from './typesetting.ts'

const names = [
  'Łukasz Żółć',
  'Ελένη Παπαδοπούλου',
  'Наталья Юрьевна',
  '東京ホテル',
  '佐藤 さくら',
  '北京大酒店',
  '龍門客棧',
  '서울 호텔',
  'โรงแรมกรุงเทพ',
  'ศรีน้ำผึ้ง',
  'होटल मुंबई',
  'क्षितिज श्रीवास्तव',
  'தமிழ்ச்செல்வன்',
  'فندق دبي',
  'מלון תל אביב',
  'ქეთევან',
  'Հայկ',
]
const page_height = 50
const size = 24

/** Each text on a page of its own. */
async function printed(texts: readonly string[]): Promise<Buffer> {
  const doc = new Pdf({ size: [400, page_height], margin: 0, autoFirstPage: false })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve) => doc.on('end', resolve))
  const type = openType(doc)
  await type.ready(texts)
  for (const text of texts) {
    doc.addPage()
    type.line(text, 10, 34, 380, { size })
  }
  doc.end()
  await ended
  return Buffer.concat(chunks)
}
const opened = async (bytes: Buffer) =>
  pdfjs.getDocument({ data: new Uint8Array(bytes), useSystemFonts: false }).promise

test('every name has its letters in a font, in both weights', async () => {
  for (const name of names) {
    await loadFor(name)
    const clusters = cut(name)
    expect(clusters.map(({ text }) => text).join('')).toBe(name)
    for (const { text, typeface } of clusters)
      for (const weight of ['regular', 'bold'] as const) {
        const font = create(typeface?.bytes[weight] ?? Buffer.of())
        const glyphs = 'layout' in font ? font.layout(text).glyphs.map(({ id }) => id) : []
        // Glyph 0 is the box of what a font does not have.
        expect([name, text, weight, glyphs.length > 0 && glyphs.every((id) => id > 0)]).toEqual([
          name,
          text,
          weight,
          true,
        ])
      }
  }
})

const hasPoppler = spawnSync('pdftotext', ['-v']).status === 0
test.skipIf(!hasPoppler)('a reader of the file finds every name as it was written', async () => {
  const text = execFileSync('pdftotext', ['-', '-'], { input: await printed(names) }).toString()
  // It marks where the direction of reading changes.
  const read = text.split('\f').map((line) => line.replace(/[\u200E\u200F\u202A-\u202E]/g, '').trim())
  expect(read.slice(0, names.length)).toEqual(names)
})

test('what no font has is left out, and a name of nothing else says so', async () => {
  const pdf = await opened(await printed(['Anna 🧋 王小明', '🧋🧋', '葛\u{E0100}飾']))
  const said = []
  for (let number = 1; number <= 3; number++) {
    said.push(
      (await (await pdf.getPage(number)).getTextContent()).items
        .map((item) => ('str' in item ? item.str : ''))
        .join(''),
    )
  }
  expect(said).toEqual(['Anna 王小明', '(cannot be printed)', '葛\u{E0100}飾'])
})

/** Where a picture is dark: its box, and the share of dark pixels that two pictures have in common. */
function inkOf(context: SKRSContext2D, width: number, height: number) {
  const { data } = context.getImageData(0, 0, width, height)
  const dark: [number, number][] = []
  for (let at = 0; at < width * height; at++)
    if ((data[4 * at] ?? 255) < 128) dark.push([at % width, Math.floor(at / width)])
  const left = Math.min(...dark.map(([x]) => x))
  const top = Math.min(...dark.map(([, y]) => y))
  return new Set(dark.map(([x, y]) => `${x - left},${y - top}`))
}
function common(one: Set<string>, other: Set<string>) {
  const shared = [...one].filter((pixel) => other.has(pixel)).length
  return shared / (one.size + other.size - shared)
}

test.each(['ศรีน้ำผึ้ง', 'โรงแรมกรุงเทพ', 'क्षितिज', 'श्रीवास्तव', 'मुंबई', 'தமிழ்ச்செல்வன்', 'سلام'])(
  'the letters of %s are joined and stacked as a browser does',
  async (name) => {
    const scale = 10
    const page = await (await opened(await printed([name]))).getPage(1)
    const viewport = page.getViewport({ scale })
    const [width, height] = [Math.ceil(viewport.width), Math.ceil(viewport.height)]
    const [ours, browsers] = [createCanvas(width, height), createCanvas(width, height)].map((canvas) => ({
      canvas,
      context: canvas.getContext('2d'),
    }))
    if (!ours || !browsers) throw new Error('Two pictures')
    await page.render({ canvas: ours.canvas as never, canvasContext: ours.context as never, viewport }).promise
    const [first] = cut(name)
    GlobalFonts.register(first?.typeface?.bytes.regular ?? Buffer.of(), `of ${name}`)
    browsers.context.fillStyle = 'white'
    browsers.context.fillRect(0, 0, width, height)
    browsers.context.fillStyle = 'black'
    browsers.context.font = `${size * scale}px "of ${name}"`
    browsers.context.fillText(name, 10 * scale, 34 * scale)
    expect(common(inkOf(ours.context, width, height), inkOf(browsers.context, width, height))).toBeGreaterThan(0.9)
  },
)
