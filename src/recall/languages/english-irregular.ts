import { forms } from './language-pack.ts'

/** Verbs, nouns, comparisons and spellings whose forms no rule joins. */
export const englishIrregular: ReadonlyMap<string, readonly string[]> = forms(`
arise: arose arisen
awake: awoke awoken
bear: bore borne
beat: beaten
become: became becoming
begin: began begun beginning
bend: bent
bet: betting
bind: bound
bite: bit bitten
bleed: bled
blow: blew blown
break: broke broken
breed: bred
bring: brought
build: built
burn: burnt
buy: bought
catch: caught
choose: chose chosen
come: came coming
cling: clung
creep: crept
cut: cutting
deal: dealt
die: died dying
dig: dug digging
draw: drew drawn
dream: dreamt
drink: drank drunk
drive: drove driven driving
eat: ate eaten
fall: fell fallen
feed: fed
feel: felt
fight: fought
find: found
flee: fled
fly: flew flown flies
forbid: forbade forbidden
forget: forgot forgotten forgetting
forgive: forgave forgiven
freeze: froze frozen
give: gave given giving
go: went gone goes going
grow: grew grown
hang: hung
hear: heard
hide: hid hidden
hit: hitting
hold: held
keep: kept
kneel: knelt
know: knew known
lay: laid
lead: led
lean: leant
leap: leapt
learn: learnt
leave: left leaving leaves
lend: lent
lie: lay lain lying
light: lit
lose: lost losing
make: made making
mean: meant
meet: met
pay: paid
prove: proven
put: putting
quit: quitting
read: reading
ride: rode ridden riding
ring: rang rung
rise: rose risen rising
run: ran running
say: said
see: saw seen
seek: sought
sell: sold
send: sent
set: setting
sew: sewn
shake: shook shaken
shave: shaven
shine: shone
shoot: shot
show: shown
shrink: shrank shrunk
shut: shutting
sing: sang sung
sink: sank sunk
sit: sat sitting
sleep: slept
slide: slid
smell: smelt
speak: spoke spoken
speed: sped
spell: spelt
spend: spent
spill: spilt
spin: spun
split: splitting
spread: spreading
spring: sprang sprung
stand: stood
steal: stole stolen
stick: stuck
sting: stung
strike: struck stricken
strive: strove striven
swear: swore sworn
sweep: swept
swell: swollen
swim: swam swum swimming
swing: swung
take: took taken taking
teach: taught
tear: tore torn
tell: told
think: thought
throw: threw thrown
understand: understood
wake: woke woken
wear: wore worn
weave: wove woven
weep: wept
win: won winning
wind: wound
write: wrote written writing
man: men
woman: women
child: children kid kids
person: people persons
foot: feet
tooth: teeth
mouse: mice
goose: geese
wife: wives
life: lives
live: lives
knife: knives
half: halves
leaf: leaves
shelf: shelves
wolf: wolves
calf: calves
loaf: loaves
thief: thieves
self: selves
good: better best
bad: worse worst
far: farther further farthest furthest
little: less least
mom: mum mother mommy mummy moms mothers
dad: father daddy dads fathers
photo: photograph photos photographs pic pics picture pictures
movie: film movies films
tv: television
phone: telephone
bike: bicycle bikes bicycles
favorite: favourite favorites favourites
color: colour colors colours
neighbor: neighbour neighbors neighbours
center: centre centers centres
theater: theatre
travel: traveled travelled traveling travelling
cancel: canceled cancelled canceling cancelling
program: programme programs programmes
grey: gray
pajamas: pyjamas
mold: mould
jewelry: jewellery
analog: analogue
catalog: catalogue catalogs catalogues
dialog: dialogue dialogs dialogues
check: cheque cheques
tire: tyre tyres
curb: kerb
plow: plough
defense: defence
license: licence
practice: practise practised practising
offense: offence
fulfill: fulfil
enroll: enrol
skillful: skilful
aluminum: aluminium
maneuver: manoeuvre
mustache: moustache
skeptic: sceptic
skeptical: sceptical
airplane: aeroplane aeroplanes plane planes
draft: draught
criterion: criteria criterions
phenomenon: phenomena
bacterium: bacteria
medium: media
datum: data
data: data
curriculum: curricula
memorandum: memoranda
stadium: stadia
millennium: millennia
analysis: analyses
analyze: analyse analysed analysing analyses
thesis: theses
crisis: crises
diagnosis: diagnoses
diagnose: diagnoses
hypothesis: hypotheses
basis: bases
base: bases
axis: axes
axe: axes ax
oasis: oases
parenthesis: parentheses
index: indices indexes
matrix: matrices
vertex: vertices
appendix: appendices
cactus: cacti
fungus: fungi
nucleus: nuclei
radius: radii
alumnus: alumni
syllabus: syllabi
ox: oxen
die: dice
scarf: scarves
hoof: hooves
staff: staves
rose: rose
saw: saw
bit: bit
left: left
found: found
felt: felt
lay: lay
bore: bore
bound: bound
wound: wound
ground: ground
grind: ground
shot: shot
spoke: spoke
stole: stole
fed: fed
led: led
dove: dove
dive: dove
smelt: smelt
thought: thought
`)
