// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import org.ffmpi.Mpi;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.junit.jupiter.api.DisplayName;

/** The examples once more, between ranks that are processes: their plans have to cross. */
@MpiVariant(name = "defaults")
@MpiVariant(
    name = "small rings, all direct",
    settings = {
      "ffmpi.ring.slots=4", "ffmpi.ring.bulk=256", "ffmpi.pipe.bytes=1024", "ffmpi.chunk=128",
      "ffmpi.large.chunk=256", "ffmpi.eager.limit=1K", "ffmpi.direct.limit=100"
    })
class ExamplesInProcessesTest {
  @MpiTest(ranks = 2, processes = true, timeout = 180)
  @DisplayName("S1-4.13 S1-4.14 S1-4.15 S1-4.16 S1-4.17-1 S1-4.17-2 S1-4.17-3 S1-4.18 S1-4.21: between processes")
  void examples(Mpi mpi) {
    MatrixExamplesTest matrices = new MatrixExamplesTest();
    matrices.section(mpi);
    matrices.sectionIntoASection(mpi);
    matrices.lowerTriangle(mpi);
    matrices.transposeWithOneType(mpi);
    matrices.transposeWithManyRows(mpi);
    ParticleExamplesTest particles = new ParticleExamplesTest();
    particles.wholeParticles(mpi);
    particles.someParticlesAndTheirNumber(mpi);
    particles.allPairs(mpi);
    particles.absoluteAddresses(mpi);
    new PackingTest().intAndCharacters(mpi);
    new TypeLifeTest().freedUnderWay(mpi.world());
  }
}
