// Tirs Croisés for two seats on 8 x 8 cards with a cursor, cards taken by chance: as somebody writes it who needs nothing else.

constexpr int SIZE = 8, SEATS = 2;

int main(int, char **words) {
    uint64_t matches = strtoull(words[2], nullptr, 10);
    return report([&] {
        ChaCha8 players = ChaCha8::of_byte(1);
        Checksum checksum;
        for (uint64_t number = 0; number < matches; number++) {
            ChaCha8 chance(number);
            uint8_t values[SIZE * SIZE];
            for (uint8_t &value : values) value = uint8_t(1 + chance.below(9));
            int cursor = int(chance.below(SIZE * SIZE)), scores[SEATS] = {};
            values[cursor] = 0;
            for (int ply = 0;; ply++) {
                // The cards of the cursor's row, and then of its column.
                int cells[2 * SIZE], count = 0, row = cursor / SIZE * SIZE, column = cursor % SIZE;
                for (int at = row; at < row + SIZE; at++) cells[count] = at, count += values[at] > 0;
                for (int at = column; at < SIZE * SIZE; at += SIZE) cells[count] = at, count += values[at] > 0;
                if (count == 0) break;
                cursor = cells[players.below(uint64_t(count))];
                scores[ply % SEATS] += values[cursor];
                values[cursor] = 0;
            }
            for (int score : scores) checksum.add(uint64_t(score));
        }
        return checksum.sum;
    });
}
