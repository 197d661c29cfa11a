// SPDX-License-Identifier: Apache-2.0 OR MIT
import ethereum.ckzg4844.CKZG4844JNI;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** Times of four calls of jc-kzg-4844: the least of 20, with the largest of its usual tables. */
public class Times {
  static <T> T timed(String name, Supplier<T> call) {
    T result = null;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 21; i++) {
      long start = System.nanoTime();
      result = call.get();
      least = Math.min(least, System.nanoTime() - start);
    }
    System.out.printf("%s %.1f ms%n", name, least / 1e6);
    return result;
  }

  static void expect(boolean holds) {
    if (!holds) {
      throw new IllegalStateException("a proof does not hold");
    }
  }

  static byte[] repeat(byte[] bytes, int count) {
    byte[] all = new byte[bytes.length * count];
    for (int i = 0; i < count; i++) {
      System.arraycopy(bytes, 0, all, i * bytes.length, bytes.length);
    }
    return all;
  }

  public static void main(String[] arguments) {
    CKZG4844JNI.loadNativeLibrary();
    CKZG4844JNI.loadTrustedSetup(arguments[0], 8);
    byte[] blob = new byte[CKZG4844JNI.BYTES_PER_BLOB];
    new Random(1).nextBytes(blob);
    for (int i = 0; i < blob.length; i += CKZG4844JNI.BYTES_PER_FIELD_ELEMENT) {
      blob[i] = 0;
    }
    byte[] commitment = timed("blob_to_kzg_commitment", () -> CKZG4844JNI.blobToKzgCommitment(blob));
    byte[] proof = CKZG4844JNI.computeBlobKzgProof(blob, commitment);
    expect(timed("verify_blob_kzg_proof", () -> CKZG4844JNI.verifyBlobKzgProof(blob, commitment, proof)));
    var both = timed("compute_cells_and_kzg_proofs", () -> CKZG4844JNI.computeCellsAndKzgProofs(blob));
    int count = CKZG4844JNI.CELLS_PER_EXT_BLOB;
    byte[] commitments = repeat(commitment, count);
    long[] indices = LongStream.range(0, count).toArray();
    expect(
        timed(
            "verify_cell_kzg_proof_batch",
            () ->
                CKZG4844JNI.verifyCellKzgProofBatch(
                    commitments, indices, both.getCells(), both.getProofs())));
  }
}
