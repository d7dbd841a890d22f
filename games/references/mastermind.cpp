// Mastermind for one seat, 4 pegs of 6 values and 10 tries, guesses by chance: as somebody writes it who needs nothing else.

constexpr int PEGS = 4, VALUES = 6, CODES = 1296, TRIES = 10;

struct Code {
    uint8_t pegs[PEGS];
};

struct Try {
    Code guess;
    uint8_t exact, elsewhere;
};

Code code_at(uint64_t number) {
    Code code;
    for (int peg = PEGS - 1; peg >= 0; peg--) code.pegs[peg] = uint8_t(number % VALUES), number /= VALUES;
    return code;
}

Try reply(const Code &secret, const Code &guess) {
    int8_t of_secret[VALUES] = {}, of_guess[VALUES] = {};
    int exact = 0, common = 0;
    for (int peg = 0; peg < PEGS; peg++) {
        exact += secret.pegs[peg] == guess.pegs[peg];
        of_secret[secret.pegs[peg]]++, of_guess[guess.pegs[peg]]++;
    }
    for (int value = 0; value < VALUES; value++) common += of_secret[value] < of_guess[value] ? of_secret[value] : of_guess[value];
    return {guess, uint8_t(exact), uint8_t(common - exact)};
}

int main(int, char **words) {
    uint64_t matches = strtoull(words[2], nullptr, 10);
    return report([&] {
        ChaCha8 players = ChaCha8::of_byte(1);
        Checksum checksum;
        for (uint64_t number = 0; number < matches; number++) {
            Code secret = code_at(ChaCha8(number).below(CODES));
            Try history[TRIES];
            int tries = 0;
            do history[tries++] = reply(secret, code_at(players.below(CODES)));
            while (history[tries - 1].exact < PEGS && tries < TRIES);
            for (int at = 0; at < tries; at++) checksum.add(uint64_t(history[at].exact * 16 + history[at].elsewhere));
        }
        return checksum.sum;
    });
}
