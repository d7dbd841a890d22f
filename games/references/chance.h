// The chance of agon's matches for the references: ChaCha8 with a 64-bit block number and a 64-bit stream, and uniform draws from it.
// Eight blocks at a time in vectors, as the generator in Rust does it with four.
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

typedef uint32_t Words __attribute__((vector_size(32)));

struct ChaCha8 {
    uint32_t state[16];
    alignas(32) uint64_t words[64];
    int used = 64;

    // The seed is a number, least byte first, and zeros.
    explicit ChaCha8(uint64_t seed, uint64_t stream = 0) : ChaCha8() {
        state[4] = uint32_t(seed), state[5] = uint32_t(seed >> 32);
        state[14] = uint32_t(stream), state[15] = uint32_t(stream >> 32);
    }

    // The seed is one byte, 32 times.
    static ChaCha8 of_byte(uint8_t byte) {
        ChaCha8 made;
        for (int word = 4; word < 12; word++) made.state[word] = 0x01010101u * byte;
        return made;
    }

    uint64_t next() {
        if (used == 64) refill();
        return words[used++];
    }

    // A number below the bound (Lemire 2019).
    uint64_t below(uint64_t bound) {
        for (;;) {
            unsigned __int128 product = (unsigned __int128)next() * bound;
            if (uint64_t(product) >= bound || uint64_t(product) >= -bound % bound) return uint64_t(product >> 64);
        }
    }

private:
    ChaCha8() : state{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574} {}

    static Words turn(Words x, int bits) { return x << bits | x >> (32 - bits); }

    static void quarter(Words &a, Words &b, Words &c, Words &d) {
        a += b, d = turn(d ^ a, 16), c += d, b = turn(b ^ c, 12);
        a += b, d = turn(d ^ a, 8), c += d, b = turn(b ^ c, 7);
    }

    __attribute__((target_clones("avx2", "default"), noinline)) void refill() {
        Words begin[16], x[16];
        for (int word = 0; word < 16; word++) begin[word] = state[word] - Words{};
        begin[12] += Words{0, 1, 2, 3, 4, 5, 6, 7};
        memcpy(x, begin, sizeof x);
        for (int round = 0; round < 4; round++) {
            for (int at = 0; at < 4; at++) quarter(x[at], x[4 + at], x[8 + at], x[12 + at]);
            for (int at = 0; at < 4; at++) quarter(x[at], x[4 + (at + 1) % 4], x[8 + (at + 2) % 4], x[12 + (at + 3) % 4]);
        }
        uint32_t *out = reinterpret_cast<uint32_t *>(words);
        for (int word = 0; word < 16; word++) {
            x[word] += begin[word];
            for (int block = 0; block < 8; block++) out[16 * block + word] = x[word][block];
        }
        state[12] += 8;
        used = 0;
    }
};

// A checksum of results in their order.
struct Checksum {
    uint64_t sum = 0;
    void add(uint64_t result) { sum = sum * 31 + result; }
};

// Runs the work and prints what agon wants to know: the checksum, and the seconds of processor time.
template <class Play> int report(Play play) {
    timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    uint64_t checksum = play();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    printf("%" PRIu64 " %.9f\n", checksum, double(end.tv_sec - begin.tv_sec) + 1e-9 * double(end.tv_nsec - begin.tv_nsec));
    return 0;
}
