// SPDX-License-Identifier: Apache-2.0
/** Files (MPI-4.1 §14), rule by rule, and in random views and accesses against a model that is an array. */
package org.ffmpi.tests.files;
