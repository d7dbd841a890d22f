// Grundy's game from one heap of 8 to 30 sticks, splits by chance, and the nimbers of heaps: as somebody writes it who needs nothing
// else. Ways: `play` and `nimbers`.
#include <algorithm>
#include <vector>

constexpr int LEAST = 8, MOST = 30;

int count_splits(int sticks) { return sticks < 3 ? 0 : sticks - 1 - (sticks % 2 == 0); }

uint64_t play(uint64_t matches) {
    ChaCha8 players = ChaCha8::of_byte(1);
    Checksum checksum;
    for (uint64_t number = 0; number < matches; number++) {
        int heaps[MOST], count = 1, plies = 0;
        heaps[0] = LEAST + int(ChaCha8(number).below(MOST - LEAST + 1));
        int legal = count_splits(heaps[0]);
        for (; legal > 0; plies++) {
            int left = int(players.below(uint64_t(legal))), heap = 0;
            for (; left >= count_splits(heaps[heap]); heap++) left -= count_splits(heaps[heap]);
            int sticks = heaps[heap], split = left + 1 + (sticks % 2 == 0 && left + 1 >= sticks / 2);
            heaps[heap] = sticks - split, heaps[count++] = split;
            legal += count_splits(sticks - split) + count_splits(split) - count_splits(sticks);
        }
        // Who should move and cannot has lost.
        checksum.add(uint64_t(plies % 2 == 1));
        checksum.add(uint64_t(plies % 2 == 0));
    }
    return checksum.sum;
}

bool is_rare(int number) { return __builtin_popcount(unsigned(number & ~1)) % 2 == 0; }

// By sparse spaces (Winning Ways, chapter 4), for nimbers below 256, as all up to more than a million sticks are.
uint64_t nimbers(int heaps) {
    std::vector<uint8_t> nimbers;
    std::vector<int> rare_heaps;
    Checksum checksum;
    for (int heap = 0; heap < heaps; heap++) {
        bool marked[256] = {};
        for (int part : rare_heaps)
            if (2 * part != heap) marked[nimbers[part] ^ nimbers[heap - part]] = true;
        int common = 0, rare = 0;
        while (is_rare(common) || marked[common]) common++;
        while (!is_rare(rare) || marked[rare]) rare++;
        for (int part = 1; rare < common && 2 * part < heap;) {
            for (int end = std::min(part + 32, (heap + 1) / 2); part < end; part++) marked[nimbers[part] ^ nimbers[heap - part]] = true;
            while (!is_rare(rare) || marked[rare]) rare++;
        }
        nimbers.push_back(uint8_t(std::min(rare, common)));
        if (heap > 0 && is_rare(nimbers[heap])) rare_heaps.push_back(heap);
        checksum.add(nimbers[heap]);
    }
    return checksum.sum;
}

int main(int, char **words) {
    uint64_t count = strtoull(words[2], nullptr, 10);
    return report([&] { return words[1][0] == 'n' ? nimbers(int(count)) : play(count); });
}
