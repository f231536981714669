import { once } from '../core/collections.ts';
import { isTimeZone, resolvedZone } from '../core/time.ts';

/**
 * The country of each time zone, as the IANA's zone.tab has it, in pairs by area. A library of zones has it too, but would be a
 * twelfth of the receiver's bundle; the tests compare this list with it. Antarctica has no telephone numbers of its own.
 */
const countriesAndZones = {
  Africa: `
    CI Abidjan GH Accra ET Addis_Ababa DZ Algiers ER Asmera ML Bamako CF Bangui GM Banjul GW Bissau MW Blantyre CG Brazzaville
    BI Bujumbura EG Cairo MA Casablanca ES Ceuta GN Conakry SN Dakar TZ Dar_es_Salaam DJ Djibouti CM Douala EH El_Aaiun
    SL Freetown BW Gaborone ZW Harare ZA Johannesburg SS Juba UG Kampala SD Khartoum RW Kigali CD Kinshasa NG Lagos
    GA Libreville TG Lome AO Luanda CD Lubumbashi ZM Lusaka GQ Malabo MZ Maputo LS Maseru SZ Mbabane SO Mogadishu LR Monrovia
    KE Nairobi TD Ndjamena NE Niamey MR Nouakchott BF Ouagadougou BJ Porto-Novo ST Sao_Tome LY Tripoli TN Tunis NA Windhoek`,
  America: `
    US Adak US Anchorage AI Anguilla AG Antigua BR Araguaina AR Argentina/Buenos_Aires AR Argentina/Catamarca
    AR Argentina/Cordoba AR Argentina/Jujuy AR Argentina/La_Rioja AR Argentina/Mendoza AR Argentina/Rio_Gallegos
    AR Argentina/Salta AR Argentina/San_Juan AR Argentina/San_Luis AR Argentina/Tucuman AR Argentina/Ushuaia AW Aruba
    PY Asuncion BR Bahia MX Bahia_Banderas BB Barbados BR Belem BZ Belize CA Blanc-Sablon BR Boa_Vista CO Bogota US Boise
    AR Buenos_Aires CA Cambridge_Bay BR Campo_Grande MX Cancun VE Caracas AR Catamarca GF Cayenne KY Cayman US Chicago
    MX Chihuahua MX Ciudad_Juarez CA Coral_Harbour AR Cordoba CR Costa_Rica CL Coyhaique CA Creston BR Cuiaba CW Curacao
    GL Danmarkshavn CA Dawson CA Dawson_Creek US Denver US Detroit DM Dominica CA Edmonton BR Eirunepe SV El_Salvador
    CA Fort_Nelson BR Fortaleza CA Glace_Bay GL Godthab CA Goose_Bay TC Grand_Turk GD Grenada GP Guadeloupe GT Guatemala
    EC Guayaquil GY Guyana CA Halifax CU Havana MX Hermosillo US Indiana/Indianapolis US Indiana/Knox US Indiana/Marengo
    US Indiana/Petersburg US Indiana/Tell_City US Indiana/Vevay US Indiana/Vincennes US Indiana/Winamac US Indianapolis
    CA Inuvik CA Iqaluit JM Jamaica AR Jujuy US Juneau US Kentucky/Louisville US Kentucky/Monticello BQ Kralendijk BO La_Paz
    PE Lima US Los_Angeles US Louisville SX Lower_Princes BR Maceio NI Managua BR Manaus MF Marigot MQ Martinique MX Matamoros
    MX Mazatlan AR Mendoza US Menominee MX Merida US Metlakatla MX Mexico_City PM Miquelon CA Moncton MX Monterrey UY Montevideo
    MS Montserrat BS Nassau US New_York US Nome BR Noronha US North_Dakota/Beulah US North_Dakota/Center
    US North_Dakota/New_Salem GL Nuuk MX Ojinaga PA Panama SR Paramaribo US Phoenix HT Port-au-Prince TT Port_of_Spain
    BR Porto_Velho PR Puerto_Rico CL Punta_Arenas CA Rankin_Inlet BR Recife CA Regina CA Resolute BR Rio_Branco BR Santarem
    CL Santiago DO Santo_Domingo BR Sao_Paulo GL Scoresbysund US Sitka BL St_Barthelemy CA St_Johns KN St_Kitts LC St_Lucia
    VI St_Thomas VC St_Vincent CA Swift_Current HN Tegucigalpa GL Thule MX Tijuana CA Toronto VG Tortola CA Vancouver
    CA Whitehorse CA Winnipeg US Yakutat`,
  Arctic: `
    SJ Longyearbyen`,
  Asia: `
    YE Aden KZ Almaty JO Amman RU Anadyr KZ Aqtau KZ Aqtobe TM Ashgabat KZ Atyrau IQ Baghdad BH Bahrain AZ Baku TH Bangkok
    RU Barnaul LB Beirut KG Bishkek BN Brunei IN Calcutta RU Chita LK Colombo SY Damascus BD Dhaka TL Dili AE Dubai TJ Dushanbe
    CY Famagusta PS Gaza PS Hebron VN Ho_Chi_Minh HK Hong_Kong MN Hovd RU Irkutsk ID Jakarta ID Jayapura IL Jerusalem AF Kabul
    RU Kamchatka PK Karachi NP Kathmandu NP Katmandu RU Khandyga IN Kolkata RU Krasnoyarsk MY Kuala_Lumpur MY Kuching KW Kuwait
    MO Macau RU Magadan ID Makassar PH Manila OM Muscat CY Nicosia RU Novokuznetsk RU Novosibirsk RU Omsk KZ Oral KH Phnom_Penh
    ID Pontianak KP Pyongyang QA Qatar KZ Qostanay KZ Qyzylorda MM Rangoon SA Riyadh VN Saigon RU Sakhalin UZ Samarkand KR Seoul
    CN Shanghai SG Singapore RU Srednekolymsk TW Taipei UZ Tashkent GE Tbilisi IR Tehran BT Thimphu JP Tokyo RU Tomsk
    MN Ulaanbaatar CN Urumqi RU Ust-Nera LA Vientiane RU Vladivostok RU Yakutsk MM Yangon RU Yekaterinburg AM Yerevan`,
  Atlantic: `
    PT Azores BM Bermuda ES Canary CV Cape_Verde FO Faeroe FO Faroe PT Madeira IS Reykjavik GS South_Georgia SH St_Helena
    FK Stanley`,
  Australia: `
    AU Adelaide AU Brisbane AU Broken_Hill AU Darwin AU Eucla AU Hobart AU Lindeman AU Lord_Howe AU Melbourne AU Perth AU Sydney`,
  Europe: `
    NL Amsterdam AD Andorra RU Astrakhan GR Athens RS Belgrade DE Berlin SK Bratislava BE Brussels RO Bucharest HU Budapest
    DE Busingen MD Chisinau DK Copenhagen IE Dublin GI Gibraltar GG Guernsey FI Helsinki IM Isle_of_Man TR Istanbul JE Jersey
    RU Kaliningrad UA Kiev RU Kirov UA Kyiv PT Lisbon SI Ljubljana GB London LU Luxembourg ES Madrid MT Malta AX Mariehamn
    BY Minsk MC Monaco RU Moscow NO Oslo FR Paris ME Podgorica CZ Prague LV Riga IT Rome RU Samara SM San_Marino BA Sarajevo
    RU Saratov RU Simferopol MK Skopje BG Sofia SE Stockholm EE Tallinn AL Tirane RU Ulyanovsk LI Vaduz VA Vatican AT Vienna
    LT Vilnius RU Volgograd PL Warsaw HR Zagreb CH Zurich`,
  Indian: `
    MG Antananarivo IO Chagos CX Christmas CC Cocos KM Comoro TF Kerguelen SC Mahe MV Maldives MU Mauritius YT Mayotte
    RE Reunion`,
  Pacific: `
    WS Apia NZ Auckland PG Bougainville NZ Chatham CL Easter VU Efate KI Enderbury TK Fakaofo FJ Fiji TV Funafuti EC Galapagos
    PF Gambier SB Guadalcanal GU Guam US Honolulu KI Kanton KI Kiritimati FM Kosrae MH Kwajalein MH Majuro PF Marquesas
    UM Midway NR Nauru NU Niue NF Norfolk NC Noumea AS Pago_Pago PW Palau PN Pitcairn FM Ponape PG Port_Moresby CK Rarotonga
    MP Saipan PF Tahiti KI Tarawa TO Tongatapu FM Truk UM Wake WF Wallis`,
};

const countries = once(() => {
  const pairs = Object.entries(countriesAndZones).flatMap(([area, list]) =>
    [...list.matchAll(/(\S+)\s+(\S+)/g)].map(([, country = '', zone]) => [`${area}/${zone}`, country] as const),
  );
  return new Map<string, string>(pairs);
});

/** The country (ISO 3166, two letters) of an IANA time zone under any of its names. A zone such as UTC has none. */
export const countryOfZone = (timeZone: string): string | undefined => {
  const country = countries().get(timeZone);
  if (country !== undefined || timeZone === 'UTC' || !isTimeZone(timeZone)) return country;
  return countries().get(resolvedZone(timeZone));
};
