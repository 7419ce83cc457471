package ${package};

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.Comm;
import org.ffmpi.testkit.MpiTest;

class MainTest {
  @MpiTest(ranks = {1, 2, 4})
  void theIntegralIsPi(Comm world) {
    assertEquals(Math.PI, Main.pi(world, 100_000), 1e-9);
  }
}
