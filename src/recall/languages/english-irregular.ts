import { forms } from './language-pack.ts'

/** Verbs, nouns and comparisons whose forms no rule joins. */
export const englishIrregular: ReadonlyMap<string, string> = forms(`
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
leave: left leaving
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
organize: organise organized organised organizing organising
realize: realise realized realised realizing realising
program: programme programs programmes
grey: gray
pajamas: pyjamas
mold: mould
jewelry: jewellery
`)
