// Device import: the headings of a list of devices, the values of each column, and where they are stored.
import { DeviceInput } from '#contract/devices.ts'
import type { deviceColumns } from '#contract/imports.ts'
import { text as line } from '#contract/shapes.ts'
import { textOrSentinelIn } from './cells.ts'
import { checkOf, likenessOf } from './check.ts'
import { bare, headingWords } from './heading-words.ts'
import { macAddress, reference, text, truth, type ImportColumn, type ImportDefinition } from './definition.ts'

const shape = DeviceInput.shape

const words = (text: string) => text.trim().split(/\s+/).map(bare)

const columns = {
  name: text(
    shape.name,
    words(`name devicename device hostname description label gerätename gerät bezeichnung appareil nomdelappareil nom dispositivo
      nombre nome apparaat apparaatnaam naam enhet enhed enhetsnavn namn navn laite urządzenie nazwa zařízení název cihaz cihazadı
      устройство название имя συσκευή الجهاز اسمالجهاز מכשיר שם 機器 機器名 デバイス 端末名 名前 设备 设备名称 名称 기기 기기명 장치 이름`),
  ),
  mac_address: macAddress(
    words(`macaddress mac hardwareaddress physicaladdress ethernetaddress wifimac wlanmac macid macadresse macadres adressemac
      direcciónmac indirizzomac endereçomac macadress adresmac macadresi macадрес διεύθυνσηmac عنوانmac כתובתmac
      macアドレス mac地址 mac주소`),
    {
      needed: true,
      unique: { noun: 'MAC address', taken: 'Another device of the property has this MAC address' },
    },
  ),
  external_reference: text(
    shape.external_reference,
    words(
      'externalreference externalref externalid reference ref assettag inventarnummer référence referencia riferimento',
    ),
    { read: textOrSentinelIn(shape.external_reference) },
  ),
  mac_category_id: reference(
    'mac_categories',
    words(
      'maccategoryid maccategory categoryid category devicetype type kategorie gerätetyp catégorie categoría categoria typ',
    ),
  ),
  package_id: reference(
    'packages',
    words('packageid package plan planid paket forfait paquete pacchetto pakket pacote пакет'),
  ),
  room_number: text(line(100), headingWords.number, {
    finds: { table: 'rooms', by: 'number', stored: 'room_id', noun: 'room' },
  }),
  active: truth(true, words('active enabled status aktiv actif activo attivo ativo actief')),
} satisfies Record<Exclude<(typeof deviceColumns)[number], 'property_id'>, ImportColumn>

export const deviceImport: ImportDefinition = {
  kind: 'devices',
  table: 'devices',
  checker: import.meta.url,
  columns,
  key: { columns: ['name'], unique: false, ambiguous: 'Two devices of the property have this name' },
  withoutKey: 'noName',
}

export const check = checkOf(deviceImport)
export const likeness = likenessOf(deviceImport)
