// SPDX-License-Identifier: Apache-2.0
/**
 * Classes generated for one pattern and one kind of memory, where no shared loop fits: structs and odd nests.
 *
 * <pre>
 *   HotLoop             attached to a pattern; requests classes at the first use
 *     ▼
 *   GeneratedCopiers    counts uses, requests a class when they are many, hands it out when it is warm
 *     ▼
 *   Generation          one set of classes (GeneratedClasses) for each ElementProgram
 *     ▼
 *   GeneratedClass      writes the class file; GeneratedWarmUp runs it until the JVM has compiled it
 *     ▼
 *   ElementCopier       interface of generated classes
 * </pre>
 *
 * <p>Generated classes are hidden and belong to this package, whose {@code GeneratedByteAccess} they use. They are
 * unloaded with the last plan that uses them; the plan cache counts the cost of each.
 */
package org.ffmpi.datatype.plan.codegen;
